package object

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Client is a container that talks to a database through a pool of connections,
// as far as its environment tells. What it does not tell is 0 or empty.
type Client struct {
	Object   *Object
	Path     string  // of the container in the object
	Name     string  // of the container
	Host     string  // of the database or the proxy
	Pool     int64   // connections that one copy may hold
	Copies   int64   // copies that there may be, with the autoscaler at its most
	Wait     float64 // seconds that it waits for an answer or a connection before it gives up
	Lifetime float64 // seconds for which it keeps a connection
	Hidden   string  // what its address may stand in that was not read, such as Secret shop/orders
	At       map[string]string

	addresses []*Client // of databases, as far as an address tells
	variable  string    // of an address, the variable that holds it
}

// clientSetting is what an environment variable may say of a client. The names
// are those of the frameworks that read them, or that their documents use.
type clientSetting struct {
	names []string
	unit  float64 // seconds that a number without unit stands for
	into  func(c *Client, v float64)
	what  string
}

func clientSettings() []clientSetting {
	pool := func(c *Client, v float64) { c.Pool = int64(v) }
	wait := func(c *Client, v float64) {
		if c.Wait == 0 || v < c.Wait {
			c.Wait = v // the first one to end is felt
		}
	}
	lifetime := func(c *Client, v float64) { c.Lifetime = v }
	return []clientSetting{
		{[]string{
			"SPRING_DATASOURCE_HIKARI_MAXIMUM_POOL_SIZE", "SPRING_DATASOURCE_HIKARI_MAXIMUMPOOLSIZE", "HIKARI_MAXIMUM_POOL_SIZE",
			"DB_POOL", "DB_POOL_SIZE", "DB_POOL_MAX", "DB_MAX_CONNECTIONS", "DB_MAX_OPEN_CONNS", "DATABASE_POOL", "DATABASE_POOL_SIZE", "DATABASE_POOL_MAX",
			"DATABASE_MAX_OPEN_CONNS", "MYSQL_POOL_SIZE", "PGPOOL_MAX", "PG_POOL_MAX", "PG_POOL_SIZE", "KNEX_POOL_MAX", "SQLALCHEMY_POOL_SIZE",
		}, 1, pool, "pool"},
		{[]string{
			"SPRING_DATASOURCE_HIKARI_MAX_LIFETIME", "SPRING_DATASOURCE_HIKARI_MAXLIFETIME", "HIKARI_MAX_LIFETIME",
		}, 0.001, lifetime, "lifetime"},
		{[]string{"DB_CONN_MAX_LIFETIME", "DB_MAX_LIFETIME", "DATABASE_CONN_MAX_LIFETIME", "SQLALCHEMY_POOL_RECYCLE"}, 1, lifetime, "lifetime"},
		{[]string{"SPRING_DATASOURCE_HIKARI_CONNECTION_TIMEOUT", "SPRING_DATASOURCE_HIKARI_CONNECTIONTIMEOUT"}, 0.001, wait, "wait"},
		{[]string{
			"DB_TIMEOUT", "DB_SOCKET_TIMEOUT", "DB_READ_TIMEOUT", "DB_CONNECT_TIMEOUT", "DATABASE_TIMEOUT", "DATABASE_CONNECT_TIMEOUT", "PGCONNECT_TIMEOUT", "MYSQL_CONNECT_TIMEOUT",
		}, 1, wait, "wait"},
	}
}

// hostNames are variables that name the host of a database.
var hostNames = []string{"DB_HOST", "DATABASE_HOST", "MYSQL_HOST", "PGHOST", "POSTGRES_HOST", "RDS_HOSTNAME"}

// addressNames end the names of variables that hold an address of a database.
var addressNames = []string{"DATABASE_URL", "DB_URL", "_DSN", "JDBC_URL", "DATASOURCE_URL"}

// addressSettings are what the query of an address may say, and the seconds that
// a number without unit stands for.
var addressSettings = []struct {
	names []string
	unit  float64
	what  string
}{
	{[]string{"connectTimeout"}, 0.001, "wait"}, // of MySQL's Connector/J, milliseconds; that of pgjdbc is in seconds, see below
	{[]string{"socketTimeout"}, 0.001, "wait"},
	{[]string{"timeout", "readTimeout"}, 1, "wait"}, // of the Go driver, with a unit
	{[]string{"connect_timeout", "pool_timeout"}, 1, "wait"},
	{[]string{"connection_limit", "pool_size", "maximumPoolSize"}, 1, "pool"},
}

// Clients returns the containers of workloads and of tasks of ECS that say
// something of a database in their environment, and an [Unread] where neither
// were read whole.
func (s *Snapshot) Clients() ([]*Client, error) {
	return s.clients(func(c *Client) bool { return len(c.At) > 0 })
}

// HiddenClients returns the containers that may talk to a database whose address stands
// in what is not read: a Secret, or a ConfigMap that no source has.
func (s *Snapshot) HiddenClients() ([]*Client, error) {
	return s.clients(func(c *Client) bool { return c.Host == "" && c.Hidden != "" })
}

// clients returns those containers that are wanted.
func (s *Snapshot) clients(wanted func(c *Client) bool) ([]*Client, error) {
	var all []*Client
	for _, w := range s.related().workloads {
		copies := w.Replicas
		if scalers, _ := w.Autoscalers(); len(scalers) > 0 {
			copies = max(copies, scalers[0].Fields.Whole(0, "spec", "maxReplicas"))
		}
		for _, c := range w.Containers {
			client := &Client{Object: w.Object, Path: c.Path, Name: c.Name, Copies: copies, At: map[string]string{}}
			for _, e := range s.environment(w.Namespace, c) {
				client.read(e.name, e.value, e.path)
			}
			client.Hidden = s.hidden(w.Namespace, c)
			all = append(all, client.each()...)
		}
	}
	for _, o := range s.objects["AWS/TaskDefinition"] {
		for i, c := range o.Fields.Trees("containerDefinitions") {
			all = append(all, taskClient(o, c, "containerDefinitions["+strconv.Itoa(i)+"]").each()...)
		}
	}
	all = slices.DeleteFunc(all, func(c *Client) bool { return !wanted(c) })
	if _, err := s.Workloads(); err != nil && s.Whole("AWS/TaskDefinition") != nil {
		return all, err
	}
	return all, nil
}

// taskClient reads a container of a task of ECS.
func taskClient(o *Object, c Fields, path string) *Client {
	client := &Client{Object: o, Path: path, Name: c.Text("name"), Copies: 1, At: map[string]string{}}
	for k, e := range c.Trees("environment") {
		client.read(e.Text("name"), e.Text("value"), path+".environment["+strconv.Itoa(k)+"]")
	}
	for _, e := range c.Trees("secrets") {
		if namesAddress(e.Text("name")) {
			client.Hidden = "a secret of " + o.ID()
		}
	}
	if len(c.List("environmentFiles")) > 0 {
		client.Hidden = "an environment file of " + o.ID()
	}
	return client
}

// namesAddress reports whether a variable of a name holds the host or the address of a
// database.
func namesAddress(name string) bool {
	name = strings.ToUpper(name)
	return slices.Contains(hostNames, name) || slices.ContainsFunc(addressNames, func(end string) bool { return strings.HasSuffix(name, end) })
}

// hidden returns what the address of a database may stand in that was not read: what a
// variable of such a name is taken from, or else what all variables of it are.
func (s *Snapshot) hidden(namespace string, c *Container) string {
	unread := func(kind, name string) string {
		if name == "" || kind == "ConfigMap" && s.configMap(namespace, name) != nil {
			return ""
		}
		return (&Object{Kind: kind, Namespace: namespace, Name: name}).ID()
	}
	for _, e := range c.Spec.Trees("env") {
		if !namesAddress(e.Text("name")) {
			continue
		}
		from := e.Sub("valueFrom")
		if in := unread("Secret", from.Text("secretKeyRef", "name")); in != "" {
			return in
		}
		if in := unread("ConfigMap", from.Text("configMapKeyRef", "name")); in != "" {
			return in
		}
	}
	for _, from := range c.Spec.Trees("envFrom") {
		if in := unread("Secret", from.Text("secretRef", "name")); in != "" {
			return in
		}
		if in := unread("ConfigMap", from.Text("configMapRef", "name")); in != "" {
			return in
		}
	}
	return ""
}

// variable is an environment variable of a container.
type variable struct{ name, value, path string }

// environment returns the variables of a container whose values are written out,
// in it or in ConfigMaps that were read; those that stand in the container are the
// last ones, since they count.
func (s *Snapshot) environment(namespace string, c *Container) []variable {
	var all []variable
	for i, from := range c.Spec.Trees("envFrom") {
		path := Join(c.Path, "envFrom["+strconv.Itoa(i)+"]")
		for name, value := range s.configMap(namespace, from.Text("configMapRef", "name")) {
			all = append(all, variable{from.Text("prefix") + name, value, path})
		}
	}
	slices.SortFunc(all, func(a, b variable) int { return strings.Compare(a.path+a.name, b.path+b.name) })
	for i, e := range c.Spec.Trees("env") {
		value := e.Text("value")
		if ref, ok := asFields(e.At("valueFrom", "configMapKeyRef")); ok {
			value = s.configMap(namespace, ref.Text("name"))[ref.Text("key")]
		}
		all = append(all, variable{e.Text("name"), value, Join(c.Path, "env["+strconv.Itoa(i)+"]")})
	}
	return all
}

// configMap returns what a ConfigMap holds, nothing where it was not read.
func (s *Snapshot) configMap(namespace, name string) map[string]string {
	for _, o := range s.objects["ConfigMap"] {
		if o.Name == name && o.Namespace == namespace {
			return o.Fields.Texts("data")
		}
	}
	return nil
}

// read reads one environment variable.
func (c *Client) read(name, value, path string) {
	name = strings.ToUpper(name)
	if value == "" {
		return
	}
	if slices.Contains(hostNames, name) {
		c.Host, c.At["host"] = value, path
		return
	}
	for _, s := range clientSettings() {
		if slices.Contains(s.names, name) {
			if v, ok := amount(value, s.unit); ok {
				s.into(c, v)
				c.At[s.what] = path
			}
			return
		}
	}
	if namesAddress(name) {
		one := &Client{At: map[string]string{}, variable: name}
		one.address(value, path)
		// Two variables may tell of one database, and the later one counts, as does the
		// later one of the same name.
		same := func(other *Client) bool { return other.Host == one.Host || other.variable == name }
		c.addresses = append(slices.DeleteFunc(c.addresses, same), one)
	}
}

// each returns a client for each database that a container talks to. What its other
// variables say, such as how large a pool is, holds for each.
func (c *Client) each() []*Client {
	var all []*Client
	for _, one := range c.addresses {
		client := *c
		client.addresses, client.At = nil, maps.Clone(c.At)
		maps.Copy(client.At, one.At)
		client.Host, client.Pool = cmp.Or(one.Host, c.Host), cmp.Or(one.Pool, c.Pool)
		if one.Wait > 0 && (c.Wait == 0 || one.Wait < c.Wait) {
			client.Wait = one.Wait // the first one to end is felt
		}
		all = append(all, &client)
	}
	named := func(other *Client) bool { return other.Host == c.Host }
	if len(all) == 0 || c.Host != "" && !slices.ContainsFunc(all, named) {
		c.addresses = nil
		all = append(all, c)
	}
	return all
}

// address reads an address such as jdbc:mysql://host/db?socketTimeout=7000 or
// user:secret@tcp(host:3306)/db?timeout=7s. Of its secrets nothing is kept.
func (c *Client) address(value, path string) {
	text, query, _ := strings.Cut(strings.TrimPrefix(value, "jdbc:"), "?")
	host := text
	if _, rest, ok := strings.Cut(host, "://"); ok {
		host = rest
	}
	if at := strings.LastIndexByte(host, '@'); at >= 0 {
		host = host[at+1:]
	}
	if _, rest, ok := strings.Cut(host, "("); ok {
		host, _, _ = strings.Cut(rest, ")")
	}
	host, _, _ = strings.Cut(host, "/")
	host, _, _ = strings.Cut(host, ":")
	if host != "" {
		c.Host, c.At["host"] = host, path
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return
	}
	postgres := strings.Contains(text, "postgres")
	for _, s := range addressSettings {
		for _, name := range s.names {
			unit := s.unit
			if postgres {
				unit = 1 // the drivers of PostgreSQL count seconds
			}
			v, ok := amount(values.Get(name), unit)
			if !ok {
				continue
			}
			for _, into := range clientSettings() {
				if into.what == s.what {
					into.into(c, v)
					c.At[s.what] = path
					break
				}
			}
		}
	}
}

// amount reads a number, or a span of time in seconds.
func amount(text string, unit float64) (float64, bool) {
	if n, err := strconv.ParseFloat(text, 64); err == nil && n > 0 {
		return n * unit, true
	}
	if d, err := time.ParseDuration(text); err == nil && d > 0 {
		return d.Seconds(), true
	}
	return 0, false
}

// Size returns how large a class of AWS is, such as db.r6g.2xlarge, where large is
// 1, xlarge 2 and 2xlarge 4; 0 for what is none.
func Size(class string) float64 {
	parts := strings.Split(class, ".")
	name := parts[len(parts)-1]
	small := map[string]float64{"nano": 1.0 / 32, "micro": 1.0 / 16, "small": 0.25, "medium": 0.5, "large": 1, "xlarge": 2}
	if n, ok := small[name]; ok {
		return n
	}
	if times, ok := strings.CutSuffix(name, "xlarge"); ok {
		if n, err := strconv.ParseFloat(times, 64); err == nil {
			return 2 * n
		}
	}
	return 0
}

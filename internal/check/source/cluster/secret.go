package cluster

import (
	"bytes"
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"runtime/debug"
	"unsafe"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	kruntime "k8s.io/apimachinery/pkg/runtime"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/client-go/rest"

	"github.com/openprecedent/precedent/internal/check/object"
)

// secrets is the list of the Secrets that hold certificates, which is read only
// where it was asked for. Whoever lists a Secret is sent all of it. So what is not
// public is overwritten as soon as it is here: the page, and what was decoded from it.
// The buffers of the connection cannot be reached; it is of no other use, so they are
// garbage once it is closed.
func secrets() list {
	return list{
		kind: "Secret", version: "v1", path: "/api/v1/secrets", selector: "type=" + string(corev1.SecretTypeTLS), secret: true,
		page: func() page { return new(corev1.SecretList) },
	}
}

// certificates reads the certificates of Secrets over a connection of their own.
func certificates(ctx context.Context, snap *object.Snapshot, config *rest.Config, opt Options) (*client, error) {
	own := rest.CopyConfig(config)
	own.DisableCompression = true // a decompressor keeps the last of what it has seen
	own.NextProtos = []string{"http/1.1"}
	c, err := newClient(own, opt)
	if err != nil {
		return nil, err
	}
	l, err := secrets().prepared(schema{})
	if err != nil {
		return nil, err
	}
	c.read(ctx, snap, l)
	utilnet.CloseIdleConnectionsFor(c.http.Transport)
	runtime.GC() // twice: what is pooled outlives the first
	debug.FreeOSMemory()
	return c, nil
}

// public are the fields of a Secret that are shown to everybody who connects.
var public = []string{"ca.crt", "tls.crt"}

// publish leaves of a Secret what is public, and overwrites the rest.
func publish(s *corev1.Secret) {
	kept := map[string][]byte{}
	for _, name := range public {
		if c := certificatesIn(s.Data[name]); len(c) > 0 {
			kept[name] = c
		}
	}
	for _, value := range s.Data {
		clear(value)
	}
	for _, value := range s.Annotations {
		wipe(value) // kubectl keeps the whole Secret in one of them
	}
	s.Data, s.StringData = kept, nil
	s.ObjectMeta = metav1.ObjectMeta{Name: s.Name, Namespace: s.Namespace, Labels: s.Labels}
}

// keepSecrets keeps what is public of a page of Secrets.
func keepSecrets(snap *object.Snapshot, l list, p *corev1.SecretList) (int, error) {
	for i := range p.Items {
		s := &p.Items[i]
		publish(s)
		fields, err := kruntime.DefaultUnstructuredConverter.ToUnstructured(s)
		if err != nil {
			return 0, fmt.Errorf("reading a %s: %w", l.kind, err)
		}
		fields["apiVersion"], fields["kind"] = l.version, l.kind
		snap.Add(&object.Object{
			Source: "cluster", APIVersion: l.version, Kind: l.kind, Fields: object.Tree(fields), Namespace: s.Namespace, Name: s.Name,
		})
	}
	return len(p.Items), nil
}

// wipe overwrites a text that was just decoded, and that nobody else holds. Short
// ones may be shared by all of the program.
func wipe(text string) {
	if len(text) > 32 {
		clear(unsafe.Slice(unsafe.StringData(text), len(text)))
	}
}

// certificatesIn returns a copy of the certificates of a text in PEM. A file of
// certificates may hold the key to them too.
func certificatesIn(text []byte) []byte {
	var kept bytes.Buffer
	for len(text) > 0 {
		var block *pem.Block
		if block, text = pem.Decode(text); block == nil {
			break
		}
		if block.Type == "CERTIFICATE" {
			_ = pem.Encode(&kept, &pem.Block{Type: block.Type, Bytes: block.Bytes}) // a buffer takes all
		}
		clear(block.Bytes)
	}
	return kept.Bytes()
}

// readAll reads a body of at most most bytes into what room there is in buf, and
// leaves no copy of it behind where that was too little.
func readAll(buf []byte, r io.Reader, most int) ([]byte, error) {
	body := buf[:0]
	for {
		if len(body) == cap(body) {
			larger := make([]byte, len(body), max(1<<16, 2*cap(body)))
			copy(larger, body)
			clear(body)
			body = larger
		}
		n, err := r.Read(body[len(body):cap(body)])
		body = body[:len(body)+n]
		switch {
		case errors.Is(err, io.EOF):
			return body, nil
		case err == nil && len(body) > most:
			err = errTooLarge
		}
		if err != nil {
			clear(body)
			return nil, err
		}
	}
}

// WrappedRoundTripper lets the connections be closed.
func (r readOnly) WrappedRoundTripper() http.RoundTripper { return r.next }

package rule

import (
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"

	"github.com/openprecedent/precedent/internal/check/object"
)

func databaseFields() []field {
	type d = *object.DatabaseServer
	return []field{
		of("product", text, "PostgreSQL, MySQL or MariaDB; empty of a group of parameters of AWS", func(v d) any { return v.Product }),
		of("name", text, "as it was given, such as db.example.com:5432", func(v d) any { return v.Name }),
		of("host", text, "without the port; empty where that is not known", func(v d) any { return v.Host }),
		of("values", labels, "its settings that are kept, by name, as the server writes them", func(v d) any {
			return v.Fields.Texts("values")
		}),
		of("max_connections", whole, "connections that it takes, those that are reserved among them; 0 where that is not a number", func(v d) any {
			return v.Number("max_connections", 0)
		}),
		of("reserved", whole, "connections that are kept for administrators", func(v d) any { return v.Reserved() }),
	}
}

// databaseFunctions are those that are about databases.
func databaseFunctions() []function {
	return []function{
		{"database_of", "the database server that a host names, or the only one that was read, as a list of one; or of none",
			[]*types.Type{typeOf(Cluster), text}, listOf("DatabaseServer"), true, func(a []ref.Val) (any, error) {
				one, err := snapshotOf(a[0]).DatabaseOf(string(a[1].(types.String)))
				if one == nil {
					return []ref.Val{}, err
				}
				return list("DatabaseServer", []*object.DatabaseServer{one}), err
			}},
		{"read", "whether objects of a kind were read, all of them or some", []*types.Type{typeOf(Cluster), text}, truth, true,
			func(a []ref.Val) (any, error) {
				all, err := snapshotOf(a[0]).Objects(string(a[1].(types.String)))
				return err == nil || len(all) > 0, nil
			}},
	}
}

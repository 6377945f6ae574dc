package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	pb "go.etcd.io/etcd/api/v3/etcdserverpb"
	"go.etcd.io/etcd/server/v3/embed"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
)

// stored is an object as the API server stores it.
type stored struct {
	key     string // in etcd, after /registry/
	version string
	kind    string
	object  interface {
		metav1.Object
		Marshal() ([]byte, error)
	}
}

// fill writes a synthetic cluster into etcd, as the API server would have written
// it: through the API it would take a hundred times as long.
func fill(store *embed.Etcd, nodes, pods int) error {
	c := synthetic{nodes: nodes, workloads: pods / perWorkload}
	c.namespaces = max(1, c.workloads/25)
	var next, failed atomic.Int64
	var wait sync.WaitGroup
	errs := make(chan error, 1)
	steps := max(c.namespaces, c.nodes, c.workloads)
	for range 32 { // etcd writes what comes at one time together
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < steps && failed.Load() == 0; i = int(next.Add(1)) - 1 {
				for _, one := range c.step(i) {
					if err := put(store, one); err != nil {
						failed.Add(1)
						select {
						case errs <- err:
						default:
						}
						return
					}
				}
			}
		})
	}
	wait.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

func put(store *embed.Etcd, s stored) error {
	s.object.SetUID(types.UID(fmt.Sprintf("%x", s.key)))
	raw, err := s.object.Marshal()
	if err != nil {
		return err
	}
	unknown := runtime.Unknown{TypeMeta: runtime.TypeMeta{APIVersion: s.version, Kind: s.kind}, Raw: raw}
	body, err := unknown.Marshal()
	if err != nil {
		return err
	}
	_, err = store.Server.Put(context.Background(), &pb.PutRequest{Key: []byte("/registry/" + s.key), Value: append([]byte("k8s\x00"), body...)})
	return err
}

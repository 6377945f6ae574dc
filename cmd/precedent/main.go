package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	os.Exit(run(ctx, &process{
		args: os.Args[1:], env: os.Getenv, in: os.Stdin, out: os.Stdout, err: os.Stderr,
	}))
}

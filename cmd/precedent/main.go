package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second interrupt ends the program at once
	os.Exit(run(ctx, &process{
		name: os.Args[0], args: os.Args[1:], env: os.Getenv, in: os.Stdin, out: os.Stdout, err: os.Stderr,
	}))
}

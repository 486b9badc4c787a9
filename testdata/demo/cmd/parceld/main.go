// Command parceld serves the parcel tracker.
package main

import (
	"flag"
	"log"
	"net/http"
	"os"
	"time"

	"example.com/parcels/internal/api"
	"example.com/parcels/internal/track"
)

func main() {
	addr := flag.String("addr", ":8080", "address to listen on")
	seed := flag.String("seed", "", "JSON file with parcels to start from")
	stale := flag.Duration("stale", 72*time.Hour, "report parcels without a scan for this long")
	flag.Parse()

	store := track.NewStore()
	if *seed != "" {
		n, err := load(store, *seed)
		if err != nil {
			log.Fatalf("load %s: %v", *seed, err)
		}
		log.Printf("loaded %d parcels from %s", n, *seed)
	}

	watcher := track.NewWatcher(store, *stale)
	go watcher.Run(time.Minute)

	srv := &http.Server{
		Addr:              *addr,
		Handler:           api.NewServer(store).Handler(),
		ReadHeaderTimeout: 5 * time.Second,
	}
	log.Printf("listening on %s", *addr)
	if err := srv.ListenAndServe(); err != nil {
		log.Printf("server stopped: %v", err)
		os.Exit(1)
	}
}

func load(store *track.Store, name string) (int, error) {
	f, err := os.Open(name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	return track.Load(store, f)
}

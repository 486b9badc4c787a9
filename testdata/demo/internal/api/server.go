// Package api serves the tracker over HTTP.
package api

import (
	"encoding/json"
	"log"
	"net/http"
	"time"

	"example.com/parcels/internal/track"
)

// Server answers the requests of the web client and the depots' scanners.
type Server struct {
	store *track.Store
}

// NewServer serves the given store.
func NewServer(store *track.Store) *Server {
	return &Server{store: store}
}

// Handler is the service's routes, each request logged.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /parcels", s.list)
	mux.HandleFunc("POST /parcels", s.add)
	mux.HandleFunc("GET /parcels/{number}", s.get)
	mux.HandleFunc("POST /parcels/{number}/scans", s.scan)
	return logged(mux)
}

func logged(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		next.ServeHTTP(w, r)
		log.Printf("%s %s in %s", r.Method, r.URL.Path, time.Since(start))
	})
}

func reply(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	if err := json.NewEncoder(w).Encode(body); err != nil {
		log.Printf("write reply: %v", err)
	}
}

func fail(w http.ResponseWriter, status int, err error) {
	log.Printf("request failed with %d: %v", status, err)
	reply(w, status, map[string]string{"error": err.Error()})
}

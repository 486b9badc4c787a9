package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"example.com/parcels/internal/track"
)

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	reply(w, http.StatusOK, s.store.Open())
}

func (s *Server) get(w http.ResponseWriter, r *http.Request) {
	p, err := s.store.Get(r.PathValue("number"))
	if err != nil {
		fail(w, statusOf(err), err)
		return
	}
	reply(w, http.StatusOK, p)
}

func (s *Server) add(w http.ResponseWriter, r *http.Request) {
	var p track.Parcel
	if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("read parcel: %v", err))
		return
	}
	if err := s.store.Add(&p); err != nil {
		fail(w, statusOf(err), err)
		return
	}
	reply(w, http.StatusCreated, p)
}

func (s *Server) scan(w http.ResponseWriter, r *http.Request) {
	var scan track.Scan
	if err := json.NewDecoder(r.Body).Decode(&scan); err != nil {
		fail(w, http.StatusBadRequest, fmt.Errorf("read scan: %v", err))
		return
	}
	if err := s.store.Record(r.PathValue("number"), scan); err != nil {
		fail(w, statusOf(err), err)
		return
	}
	reply(w, http.StatusOK, scan)
}

// statusOf reads the message because the store's errors lose their identity on the way up (%v).
func statusOf(err error) int {
	switch msg := err.Error(); {
	case strings.Contains(msg, track.ErrUnknownParcel.Error()):
		return http.StatusNotFound
	case strings.Contains(msg, track.ErrFinal.Error()):
		return http.StatusConflict
	}
	return http.StatusBadRequest
}

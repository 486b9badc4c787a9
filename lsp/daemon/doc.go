// Package daemon lets the sessions of one user meet in one process. A client
// starts `pending-lsp` on its standard streams; that process forwards the bytes
// to the daemon's socket and starts the daemon when there is none.
//
// After connecting, each side sends one line of JSON, the [Handshake], and then
// speaks the Language Server Protocol.
package daemon

package flat

// #cgo linux LDFLAGS: -ldl
// #include "library.h"
// #include <stdlib.h>
import "C"

import (
	"fmt"
	"unsafe"
)

// Open reads a grammar from a shared library, by the name of the function that
// returns it. The library stays loaded.
func Open(path, symbol string) (*Language, error) {
	file, name := C.CString(path), C.CString(symbol)
	defer C.free(unsafe.Pointer(file))
	defer C.free(unsafe.Pointer(name))
	var problem *C.char
	grammar := C.flat_library_open(file, name, &problem)
	if grammar == nil {
		defer C.free(unsafe.Pointer(problem))
		return nil, fmt.Errorf("load %s: %s", path, C.GoString(problem))
	}
	l, err := newLanguage(unsafe.Pointer(grammar), Options{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return l, nil
}

package pending

// SetFailPoint calls f at the named points of a write to disk.
func (o *Options) SetFailPoint(f func(name string)) { o.failPoint = f }

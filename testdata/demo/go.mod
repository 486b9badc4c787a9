module example.com/parcels

go 1.26.0

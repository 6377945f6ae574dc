module github.com/openprecedent/precedent

go 1.26

package object

import (
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"strings"
	"time"
)

// Certificate is the public part of a certificate.
type Certificate struct {
	Name string // its common name, or the first name that it is for
	From time.Time
	End  time.Time
	CA   bool
}

// Certificates reads the certificates of a text in PEM, be it in base64 as
// Kubernetes holds it. What is no certificate is passed over.
func Certificates(text string) []*Certificate {
	src := []byte(text)
	if !strings.Contains(text, "-----BEGIN") {
		decoded, err := base64.StdEncoding.DecodeString(strings.Join(strings.Fields(text), ""))
		if err != nil {
			return nil
		}
		src = decoded
	}
	var all []*Certificate
	for {
		var block *pem.Block
		if block, src = pem.Decode(src); block == nil {
			return all
		}
		if block.Type != "CERTIFICATE" {
			continue
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			continue
		}
		name := c.Subject.CommonName
		if name == "" && len(c.DNSNames) > 0 {
			name = c.DNSNames[0]
		}
		all = append(all, &Certificate{name, c.NotBefore, c.NotAfter, c.IsCA})
	}
}

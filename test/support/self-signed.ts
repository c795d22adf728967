// A certificate of `receiver.test` that nobody vouches for, with its key, which is good for nothing else. Made by
// openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 36500 -subj /CN=receiver.test
//   -addext subjectAltName=DNS:receiver.test

export const selfSigned = {
  cert: `-----BEGIN CERTIFICATE-----
MIIBoTCCAUegAwIBAgIUPVTQw1vY6u6CXmt9hUahwXY0+QYwCgYIKoZIzj0EAwIw
GDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDAgFw0yNjExMjExNzE2MzNaGA8yMTI2
MTAyODE3MTYzM1owGDEWMBQGA1UEAwwNcmVjZWl2ZXIudGVzdDBZMBMGByqGSM49
AgEGCCqGSM49AwEHA0IABBnEN+rtnbwAMXs5inyZTSjlfWONaDg5TP33r79xsdIL
BVScTdAxA8PhYzSSRNUz/APRtsjVorPpcrwJfWpm45OjbTBrMB0GA1UdDgQWBBQl
mrPaH9j2UrhEIjctRh2fDPdexDAfBgNVHSMEGDAWgBQlmrPaH9j2UrhEIjctRh2f
DPdexDAPBgNVHRMBAf8EBTADAQH/MBgGA1UdEQQRMA+CDXJlY2VpdmVyLnRlc3Qw
CgYIKoZIzj0EAwIDSAAwRQIhAKnBmz5OVL7G0+R3I4zJKesm40coUQrQGjgwPaHw
X1BxAiBfu+tg6d0Fw9ueYBlZuaUzrzk+h/DoGJ5FljPa2aLOTw==
-----END CERTIFICATE-----`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgcGFBUCRz+Si6fqZn
G5bJuQKSJbvrxMQOwEIlVK7KbMyhRANCAAQZxDfq7Z28ADF7OYp8mU0o5X1jjWg4
OUz996+/cbHSCwVUnE3QMQPD4WM0kkTVM/wD0bbI1aKz6XK8CX1qZuOT
-----END PRIVATE KEY-----`,
};

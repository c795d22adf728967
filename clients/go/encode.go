package screencapture

import (
	"bytes"
	"encoding/json"
	"net/url"
)

// fields are the values of a request by their names, each one as JSON.
type fields map[string]json.RawMessage

// fieldsOf returns what a struct of options sends. A nil pointer sends nothing.
func fieldsOf(options any) (fields, error) {
	text, err := encode(options)
	if err != nil {
		return nil, usageErrorf("The options can't be sent as JSON: %v", err)
	}
	sent := fields{}
	if err := json.Unmarshal(text, &sent); err != nil {
		return nil, usageErrorf("The options can't be sent as JSON: %v", err)
	}
	return sent, nil
}

// with returns a copy with another value.
func (f fields) with(name string, value any) fields {
	copied := fields{}
	for each, text := range f {
		copied[each] = text
	}
	copied[name], _ = encode(value) // names, numbers, and booleans have no errors
	return copied
}

// number is a value that must be a number; 0 if there is none.
func (f fields) number(name string) float64 {
	var value float64
	_ = json.Unmarshal(f[name], &value)
	return value
}

// query returns the values as a query has them. A list is sent as several parameters of the same name.
func (f fields) query() url.Values {
	values := url.Values{}
	for name, text := range f {
		for _, each := range items(text) {
			if string(each) != "null" {
				values.Add(name, queryText(each))
			}
		}
	}
	return values
}

func items(text json.RawMessage) []json.RawMessage {
	var list []json.RawMessage
	if json.Unmarshal(text, &list) == nil && list != nil {
		return list
	}
	return []json.RawMessage{text}
}

func queryText(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) == nil {
		return text
	}
	return string(value)
}

// encodeOptions returns options as JSON, with those that this version of the client doesn't know.
func encodeOptions(known any, extra map[string]any) ([]byte, error) {
	text, err := encode(known)
	if err != nil || len(extra) == 0 {
		return text, err
	}
	merged := map[string]any{}
	if err := json.Unmarshal(text, (*rawValues)(&merged)); err != nil {
		return nil, err
	}
	for name, value := range extra {
		merged[name] = value
	}
	return encode(merged)
}

// rawValues keeps numbers as they were written.
type rawValues map[string]any

func (r *rawValues) UnmarshalJSON(text []byte) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	return decoder.Decode((*map[string]any)(r))
}

func encode(value any) ([]byte, error) {
	var buffer bytes.Buffer
	encoder := json.NewEncoder(&buffer)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(buffer.Bytes(), []byte("\n")), err
}

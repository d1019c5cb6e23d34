package play

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/hyperplane-notebooks/hyperplane/generate/internal/files"
)

// A keeper compresses data and keeps the results in a folder. A keeper uses xz, or gzip if xz is
// not installed. With xz, the compressed compiler is a third smaller than with gzip.
type keeper struct {
	dir    string
	ending string // ".xz" or ".gz"
}

func newKeeper(dir string, warn func(string)) *keeper {
	k := &keeper{dir, ".xz"}
	if _, err := exec.LookPath("xz"); err != nil {
		k.ending = ".gz"
		warn("xz is not installed (Debian: apt-get install xz-utils): gzip compresses the compiler instead; with xz, its download would be a third smaller")
	}
	return k
}

// getOrMake returns the compressed data for a key from the folder. If the folder does not contain
// them, getOrMake calls the function `make`, compresses its result and stores the compressed data in
// the folder.
func (k *keeper) getOrMake(ctx context.Context, key []byte, make func() ([]byte, error)) ([]byte, error) {
	file := filepath.Join(k.dir, "play-"+hex.EncodeToString(key[:12])+k.ending)
	if data, err := os.ReadFile(file); err == nil {
		now := time.Now()
		_ = os.Chtimes(file, now, now) // update the time of the file, because a clean-up of the folder can delete old files
		return data, nil
	}
	raw, err := make()
	if err != nil {
		return nil, err
	}
	data, err := k.compress(ctx, raw)
	if err != nil {
		return nil, err
	}
	return data, files.Write(file, data)
}

// compressRaw returns the compressed form of raw.
func (k *keeper) compressRaw(ctx context.Context, raw []byte) ([]byte, error) {
	key := sha256.Sum256(raw)
	return k.getOrMake(ctx, key[:], func() ([]byte, error) { return raw, nil })
}

func (k *keeper) compress(ctx context.Context, raw []byte) ([]byte, error) {
	var out, said bytes.Buffer
	if k.ending == ".gz" {
		w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
		if err != nil {
			return nil, err
		}
		if _, err := w.Write(raw); err != nil {
			return nil, err
		}
		if err := w.Close(); err != nil {
			return nil, err
		}
		return out.Bytes(), nil
	}
	// Use one thread, because the output of xz depends on the number of threads. Use CRC32
	// checksums, which the page can check; it cannot unpack a file with SHA-256 checksums.
	cmd := exec.CommandContext(ctx, "xz", "-6", "--threads=1", "--check=crc32", "--format=xz", "--stdout")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(raw), &out, &said
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("xz: %w: %s", err, &said)
	}
	return out.Bytes(), nil
}

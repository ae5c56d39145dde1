package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a file and a function may have in lines, and marks of work that is not done.
const (
	longestFile     = 500
	longestFunction = 60
)

var unfinished = []string{"TO" + "DO", "FIX" + "ME"}

// TestSource reads the project's Go files: exported names have a comment, packages too, files and functions are
// short, and nothing is left for later.
func TestSource(t *testing.T) {
	documented, places := map[string]bool{}, map[string]string{}
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, word := range unfinished {
			if strings.Contains(string(text), word) {
				t.Errorf("%s: %s", path, word)
			}
		}
		if n := strings.Count(string(text), "\n"); n > longestFile {
			t.Errorf("%s: %d lines, at most %d", path, n, longestFile)
		}
		if strings.HasSuffix(path, "_test.go") {
			return nil
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		documented[folder] = documented[folder] || file.Doc != nil
		places[folder] = path
		checkFile(t, files, file)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for folder, ok := range documented {
		if !ok {
			t.Errorf("%s: the package has no comment", places[folder])
		}
	}
}

func checkFile(t *testing.T, files *token.FileSet, file *ast.File) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			from, to := files.Position(d.Pos()), files.Position(d.End())
			if n := to.Line - from.Line + 1; n > longestFunction {
				t.Errorf("%s: %s has %d lines, at most %d", from, d.Name.Name, n, longestFunction)
			}
			if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
				t.Errorf("%s: %s has no comment", from, d.Name.Name)
			}
		case *ast.GenDecl:
			checkNames(t, files, d)
		}
	}
}

// exportedReceiver reports whether a function is none of a type that nobody outside sees.
func exportedReceiver(d *ast.FuncDecl) bool {
	if d.Recv == nil || len(d.Recv.List) == 0 {
		return true
	}
	typ := d.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.Ident:
			return x.IsExported()
		default:
			return true
		}
	}
}

// checkNames wants a comment on each exported type, and on each constant and variable or the group that it is in.
func checkNames(t *testing.T, files *token.FileSet, d *ast.GenDecl) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				t.Errorf("%s: %s has no comment", files.Position(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			for _, name := range s.Names {
				if name.IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
					t.Errorf("%s: %s has no comment", files.Position(s.Pos()), name.Name)
				}
			}
		}
	}
}

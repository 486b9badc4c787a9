# What the tests need and no machine has: installed once under .cache and .tools, never system-wide.
GOLANGCI_VERSION := v2.15.0
GOLANGCI := .tools/golangci-lint-$(GOLANGCI_VERSION)/golangci-lint

.PHONY: help build fuzz bench-astedit test test-go test-latest test-helix test-vscode check-vscode lint fmt bench demo man clean
.DEFAULT_GOAL := help

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "make %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

build: ## build bin/pending-lsp
	go build -o bin/pending-lsp ./cmd/pending-lsp

test: test-vscode test-go ## install what the tests need (editors, Chromium, ast-grep, the MCP inspector, a TypeScript compiler) and run all of them

# -count=1: tests that run the built binary depend on more than go test's cache knows.
test-go: ## run all but the tests in VS Code's workbench
	@nvim=$${PENDING_LSP_NVIM:-$$(.ci/nvim.sh)} && emacs=$${PENDING_LSP_EMACS:-$$(.ci/emacs.sh)} && astgrep=$${PENDING_LSP_ASTGREP:-$$(.ci/ast-grep.sh)} && \
	inspector=$${PENDING_LSP_INSPECTOR:-$$(.ci/inspector.sh)} && \
	examples=$${PENDING_LSP_EXAMPLES:-$$(.ci/examples.sh)} && set -x && \
	PENDING_LSP_NVIM=$$nvim PENDING_LSP_EMACS=$$emacs PENDING_LSP_REQUIRE_EDITORS=1 \
	PENDING_LSP_ASTGREP=$$astgrep PENDING_LSP_REQUIRE_ASTGREP=1 \
	PENDING_LSP_INSPECTOR=$$inspector PENDING_LSP_REQUIRE_INSPECTOR=1 \
	PENDING_LSP_EXAMPLES=$$examples PENDING_LSP_REQUIRE_EXAMPLES=1 \
	go test -race -count=1 ./...

test-latest: ## try the Neovim plugin in the latest Neovim, which moves: a report
	@nvim=$$(.ci/nvim.sh sid) && set -x && PENDING_LSP_NVIM=$$nvim PENDING_LSP_NVIM_LATEST=$$nvim \
	go test -count=1 -v -run 'TestPluginLatest' ./editors/nvim

test-helix: ## try Helix, which comes from Debian sid and moves: a report
	@helix=$$(.ci/helix.sh) && set -x && PENDING_LSP_HELIX=$$helix go test -count=1 -v ./editors/helix

test-vscode: check-vscode ## run the tests of the VS Code extension in a real workbench
	.ci/vscode.sh e2e

check-vscode: ## lint and type-check the VS Code extension and run its unit tests
	.ci/vscode.sh check

lint: $(GOLANGCI) ## check format, the import arrows and the usual mistakes
	$(GOLANGCI) run
	CGO_ENABLED=0 go build ./pending/... # pending must stay free of tree-sitter, also through others
	.ci/lua.sh lint

fmt: $(GOLANGCI) ## format all Go and Lua code
	$(GOLANGCI) fmt
	.ci/lua.sh fmt

FUZZTIME ?= 60s
fuzz: ## run every fuzzer for FUZZTIME (60s)
	.ci/fuzz.sh $(FUZZTIME)

bench: ## run the benchmarks
	go test -run '^$$' -bench . -benchmem ./...

bench-astedit: build ## time the engine beside ast-grep (and rg, if there is one) on code this machine has
	@astgrep=$${PENDING_LSP_ASTGREP:-$$(.ci/ast-grep.sh)} && export PENDING_LSP_ASTGREP=$$astgrep && \
	go run ./astedit/internal/astbench -cli bin/pending-lsp -lang go -mb 54 -from "$$(go env GOROOT)/src,$$(go env GOMODCACHE)" && \
	go run ./astedit/internal/astbench -cli bin/pending-lsp -lang typescript -mb 25 -from ".cache/npm,editors/vscode/node_modules"

demo: ## run the main job on a copy of testdata/demo and print what happens
	go run ./cmd/pending-lsp demo

man: ## write the manual pages into bin/man1
	go run ./cmd/pending-lsp man bin/man1

clean: ## remove what the other targets made, tools and editors too
	rm -rf bin .tools .cache

$(GOLANGCI):
	GOBIN=$(CURDIR)/$(@D) go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)

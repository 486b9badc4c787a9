;;; plain_lsp.el --- Emacs and eglot, with nothing of ours, against the real server -*- lexical-binding: t -*-

;; Run by e2e_test.go as `emacs --batch -Q -l plain_lsp.el', with PENDING_LSP_BIN
;; the server and WORKSPACE a repository it may change.  Prints TAP and exits with
;; a failure at the first step that is not as it should be.

;;; Code:

(require 'eglot)
(require 'flymake)
(require 'cl-lib)

(defconst bin (getenv "PENDING_LSP_BIN"))
(defconst root (file-name-as-directory (file-truename (getenv "WORKSPACE"))))
(defconst patience 30 "Seconds; a bound for a loaded machine, not an expectation.")
(defvar step 0)

(setq eglot-confirm-server-initiated-edits nil
      eglot-autoshutdown nil
      create-lockfiles nil
      make-backup-files nil
      backup-inhibited t)

(defun ok (name)
  (cl-incf step)
  (princ (format "ok %d - %s\n" step name) #'external-debugging-output))

(defun fail (format &rest args)
  (princ (concat "not ok - " (apply #'format format args) "\n") #'external-debugging-output)
  (princ (mapconcat #'identity (eglot-log) "\n"))
  (kill-emacs 1))

(defun eglot-log ()
  "What eglot and the server said, to explain a failure."
  (cl-loop for b in (buffer-list)
           when (string-match-p "EGLOT.*\\(events\\|stderr\\)" (buffer-name b))
           collect (with-current-buffer b
                     (buffer-substring (max (point-min) (- (point-max) 4000)) (point-max)))))

(defun eventually (what condition)
  "Wait until CONDITION holds.  Emacs sends changes when it is idle, which in batch it never is."
  (let ((deadline (+ (float-time) patience)))
    (while (not (funcall condition))
      (when (> (float-time) deadline)
        (fail "timed out waiting until %s; shown: %S" what (shown)))
      (eglot--signal-textDocument/didChange)
      (accept-process-output nil 0.05)
      (flymake-start))))

(defun equals (what got want)
  (unless (equal got want)
    (fail "%s:\n--- got\n%S\n--- want\n%S" what got want)))

(defun disk (name)
  (with-temp-buffer
    (set-buffer-multibyte nil)
    (insert-file-contents-literally (concat root name))
    (buffer-string)))

(defun agent (&rest args)
  "The other process, an agent at the command line.  Emacs serves meanwhile."
  (let* ((default-directory root)
         (out (generate-new-buffer " *agent*"))
         (process (make-process :name "agent" :command (cons bin args) :buffer out :sentinel #'ignore)))
    (eventually (format "pending-lsp %s ends" args) (lambda () (not (process-live-p process))))
    (unless (zerop (process-exit-status process))
      (fail "pending-lsp %s: %s" args (with-current-buffer out (buffer-string))))))

(defun shown ()
  (mapcar #'flymake-diagnostic-text
          (cl-remove-if-not (lambda (d) (string-match-p "AST Edit" (flymake-diagnostic-text d)))
                            (flymake-diagnostics))))

(defun choose (kind &optional beg)
  "Execute the only code action of KIND, as `eglot-code-actions' does interactively."
  (let ((last-nonmenu-event t))
    (cl-letf (((symbol-function 'completing-read)
               (lambda (_prompt collection &rest _) (caar collection))))
      (eglot-code-actions (or beg (point-min)) (point-max) kind t))))

(let ((inhibit-message nil))
  (find-file (concat root "a.js"))
  (setq-local indent-tabs-mode nil)
  (unless (derived-mode-p 'js-mode) (js-mode))
  (eglot '(js-mode) (project-current) 'eglot-lsp-server (list bin) "javascript")
  (eventually "eglot manages the buffer" #'eglot-managed-p)
  (ok "eglot starts the server")

  (agent "edit" "-p" "log($$$A)" "-r" "trace($$$A)" "-l" "js" "--push")
  (eventually "the diagnostics are shown" (lambda () (= (length (shown)) 2)))
  (equals "the buffer" (buffer-string) "log(\"😀\", 1);\nkeep();\nlog(2);\n")
  (ok "what an agent pushed is shown, and nothing is changed")

  (agent "edit" "-p" "keep()" "-r" "kept()" "-l" "js" "--push")
  (eventually "the second action is shown" (lambda () (= (length (shown)) 3)))
  (let ((titles (mapcar (lambda (a) (plist-get a :title))
                        (eglot-code-actions (point-min) (point-min)))))
    (equals "what can be done under another action" titles
            '("Apply the 2 actions down to: AST Edit: 3 replacements in 2 files"
              "Discard the 2 actions down to: AST Edit: 3 replacements in 2 files")))
  (ok "an action that is not on top cannot be resolved alone")

  (choose "refactor.rewrite.pending.discard" (save-excursion (goto-char (point-min)) (search-forward "keep") (point)))
  (eventually "the discarded action is gone" (lambda () (= (length (shown)) 2)))
  (ok "the top is discarded")

  (choose "refactor.rewrite.pending.apply")
  (equals "the buffer" (buffer-string) "trace(\"😀\", 1);\nkeep();\ntrace(2);\n")
  (equals "the open file on disk" (disk "a.js") (encode-coding-string "log(\"😀\", 1);\nkeep();\nlog(2);\n" 'utf-8))
  ;; Emacs says what its buffer shows only once the command is over; then the rest follows.
  (eventually "the closed file is written" (lambda () (equal (disk "b.js") "trace(3);\n")))
  (eventually "the diagnostics are gone" (lambda () (null (shown))))
  (ok "several files are applied, the open one in its buffer")

  (undo-boundary)
  (undo)
  (equals "the buffer after one undo" (buffer-string) "log(\"😀\", 1);\nkeep();\nlog(2);\n")
  (ok "one undo takes the buffer back")

  ;; The buffer has moved on when the agent resolves: eglot refuses or the server
  ;; sees it; nothing is lost either way.
  (agent "edit" "-p" "keep()" "-r" "kept()" "-l" "js" "--push")
  (eventually "the action is shown" (lambda () (= (length (shown)) 1)))
  (goto-char (point-min))
  (insert "// typed\n")
  (agent "resolve" "apply" "--reason" "from the shell")
  (eventually "the other process's apply arrives" (lambda () (save-excursion (goto-char (point-min)) (search-forward "kept();" nil t))))
  (equals "the buffer" (buffer-string) "// typed\nlog(\"😀\", 1);\nkept();\nlog(2);\n")
  (ok "another process applies into the buffer that is being typed in")

  (set-buffer-modified-p nil)
  (eglot-shutdown (eglot-current-server))
  (ok "the server is shut down"))

(kill-emacs 0)

;;; plain_lsp.el ends here

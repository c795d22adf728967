// What several screens import, so that it is in the one file that all of them share. Otherwise the build makes a file of each set of modules
// that the same screens import, and a first view takes more than five requests.
import "../../../contract/problems/problem-kinds.ts";
import "../shared/copy-button.tsx";
import "../shared/segments.tsx";
import "../ui/breakable-text.tsx";
import "../ui/copy-text.tsx";
import "../ui/email-code-form.tsx";
import "../ui/form.tsx";
import "./captures/capture-item.tsx";
import "./captures/known-captures.ts";
import "./captures/last-list.ts";
import "./data-export.tsx";
import "./issued-secrets.tsx";
import "./question.tsx";
import "./quotas.ts";
import "./steps.ts";
import "./use-polling.ts";

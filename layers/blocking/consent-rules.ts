// Additional autoconsent rules for consent platforms that the package lacks.
import type { AutoConsentCMPRule } from "@duckduckgo/autoconsent";

export const ownRules: AutoConsentCMPRule[] = [
  {
    // The preference centre of TrustArc in its frame, which the rule of the main page opens and hides.
    name: "TrustArc",
    runContext: { main: false, frame: true, urlPattern: "^https?://consent-pref\\.(trustarc|truste)\\.com[:/]" },
    detectCmp: [{ exists: ".pdynamicbutton, .prefPanel, .mainContent" }],
    detectPopup: [{ visible: ".rejectAll, .declineAllButtonLower, .required, .submit", check: "any" }],
    optOut: [
      {
        any: [
          { click: ".rejectAll" },
          { click: ".declineAllButtonLower" },
          { click: ".pdynamicbutton .required, a.required" },
        ],
      },
      { waitForThenClick: "#gwt-debug-close_id, .close, .closeButton", timeout: 1000, optional: true },
    ],
    optIn: [{ waitForThenClick: ".pdynamicbutton .call, a.call" }],
  },
  {
    // "Accept or pay" dialogs have no reject button; only `accept` closes them.
    name: "Sourcepoint",
    runContext: { main: false, frame: true },
    detectCmp: [{ exists: ".sp_choice_type_9" }, { exists: ".sp_choice_type_11, .sp_choice_type_ACCEPT_ALL" }],
    detectPopup: [{ visible: ".sp_choice_type_11, .sp_choice_type_ACCEPT_ALL", check: "any" }],
    optOut: [{ exists: ".sp_choice_type_REJECT_ALL" }, { click: ".sp_choice_type_REJECT_ALL" }],
    optIn: [{ waitForThenClick: ".sp_choice_type_11, .sp_choice_type_ACCEPT_ALL" }],
  },
  {
    name: "Piwik PRO",
    detectCmp: [{ exists: "#ppms_cm_popup_overlay, #ppms_cm_bar, .ppms_cm_popup_overlay" }],
    detectPopup: [{ visible: "#ppms_cm_popup_wrapper, .ppms_cm_popup_wrapper, #ppms_cm_bar", check: "any" }],
    optOut: [
      {
        if: { exists: "#ppms_cm_reject-all, .ppms_cm_reject-all" },
        // biome-ignore lint/suspicious/noThenProperty: the package's rules call it so
        then: [{ click: "#ppms_cm_reject-all, .ppms_cm_reject-all" }],
        else: [{ waitForThenClick: "#ppms_cm_save-choices", timeout: 1000 }],
      },
    ],
    optIn: [{ waitForThenClick: "#ppms_cm_agree-to-all" }],
  },
  {
    name: "Cookie Notice",
    detectCmp: [{ exists: "#cookie-notice #cn-accept-cookie" }],
    detectPopup: [{ visible: "#cookie-notice" }],
    optOut: [{ click: "#cn-refuse-cookie" }],
    optIn: [{ click: "#cn-accept-cookie" }],
  },
];

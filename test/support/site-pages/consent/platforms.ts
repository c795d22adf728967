// Consent banners with the ids, classes and structure of their platforms, with minimal text.

export interface ConsentBanner {
  /** As a capture is to name it. */
  readonly platform: string;
  /** Marks its buttons by `data-answer`: reject, accept, settings, save, switch. `hidden` is shown by settings. */
  readonly html: string;
  /** CSS selector of what goes away with the answer. @default the first element */
  readonly goes?: string;
  /** What keeps the page from being scrolled. @default a style of the body */
  readonly locks?: { readonly on: "html" | "body"; readonly className: string };
  /** Runs before the banner is there, as the platform's script does. `answer("reject")` closes it. */
  readonly script?: string;
  /** True where it has no words to reject with, so that it is hidden. */
  readonly hides?: boolean;
}

const reject = (attributes: string, words = "Reject all") => button("reject", attributes, words);
const accept = (attributes: string, words = "Accept all") => button("accept", attributes, words);
const settings = (attributes: string, words = "Settings") => button("settings", attributes, words);
const button = (answer: string, attributes: string, words: string) =>
  `<button type="button" data-answer="${answer}" ${attributes}>${words}</button>`;
const link = (answer: string, attributes: string, words: string) =>
  `<a href="#" data-answer="${answer}" ${attributes}>${words}</a>`;
const text = "<p>We and our partners store and read information on your device.</p>";
const cover = `style="position:fixed;inset:0;background:rgb(200,0,0);z-index:2147483647"`;
/** An open shadow root of the markup. */
const shadow = (html: string) => `<template shadowrootmode="open">${html}</template>`;

export const consentBanners: Readonly<Record<string, ConsentBanner>> = {
  onetrust: {
    platform: "OneTrust",
    html: `<div id="onetrust-consent-sdk" data-nosnippet><div class="onetrust-pc-dark-filter ot-fade-in" style="position:fixed;inset:0"></div>
      <div id="onetrust-banner-sdk" class="otFlat bottom ot-wo-title vertical-align-content" tabindex="0" role="region" aria-label="Cookie banner" ${cover}>
      <div role="dialog" aria-modal="true"><div class="ot-sdk-container"><div class="ot-sdk-row">
      <div id="onetrust-group-container"><div id="onetrust-policy"><div id="onetrust-policy-text">${text}</div></div></div>
      <div id="onetrust-button-group-parent"><div id="onetrust-button-group">
      ${settings(`id="onetrust-pc-btn-handler"`)}${reject(`id="onetrust-reject-all-handler"`)}${accept(`id="onetrust-accept-btn-handler"`)}
      </div></div></div></div></div></div></div>`,
  },
  "onetrust-settings": {
    platform: "OneTrust",
    html: `<div id="onetrust-consent-sdk"><div id="onetrust-banner-sdk" class="otCenterRounded" role="alertdialog" ${cover}>
      <div id="onetrust-policy-text">${text}</div>
      ${settings(`id="onetrust-pc-btn-handler"`)}${accept(`id="onetrust-accept-btn-handler"`)}</div>
      <div id="onetrust-pc-sdk" class="otPcCenter ot-fade-in" role="alertdialog" hidden ${cover}>
      <input type="checkbox" checked class="category-switch-handler" data-answer="switch">
      ${button("save", `class="save-preference-btn-handler onetrust-close-btn-handler"`, "Confirm My Choices")}
      ${accept(`id="accept-recommended-btn-handler"`)}</div></div>`,
  },
  cookiebot: {
    platform: "Cookiebot",
    html: `<div id="CybotCookiebotDialogBodyUnderlay"></div><div id="CybotCookiebotDialog" name="CybotCookiebotDialog" role="dialog" class="CybotEdge" data-template="popup" ${cover}>
      <div class="CybotCookiebotDialogContentWrapper"><div id="CybotCookiebotDialogBody"><div id="CybotCookiebotDialogBodyContentText">${text}</div></div>
      <div id="CybotCookiebotDialogFooter"><div id="CybotCookiebotDialogBodyButtonsWrapper">
      ${reject(`id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll" class="CybotCookiebotDialogBodyButton"`, "Deny")}
      ${button("save", `id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowallSelection" class="CybotCookiebotDialogBodyButton"`, "Allow selection")}
      ${accept(`id="CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll" class="CybotCookiebotDialogBodyButton"`, "Allow all")}
      </div></div></div></div>`,
    goes: "#CybotCookiebotDialog",
    script: "window.Cookiebot = { hasResponse: false, declined: false, dialog: { visible: true } };",
  },
  "cookiebot-api": {
    platform: "Cookiebot",
    html: `<div id="CybotCookiebotDialog" role="dialog" ${cover}>${text}${accept(`id="CybotCookiebotDialogBodyButtonAccept"`)}</div>`,
    script: `window.Cookiebot = { hasResponse: false, dialog: { visible: true }, withdraw() { record("reject") },
      hide() { answer("hide") } };`,
  },
  didomi: {
    platform: "Didomi",
    html: `<div id="didomi-host" data-nosnippet="true" aria-hidden="false"><div class="didomi-popup-open">
      <div id="didomi-popup" class="didomi-popup-backdrop didomi-notice-popup didomi-popup__backdrop" ${cover}>
      <div class="didomi-popup-container" role="dialog" aria-modal="true"><div class="didomi-popup-notice">${text}
      <div class="didomi-popup-notice-buttons didomi-buttons-all">
      ${settings(`id="didomi-notice-learn-more-button" class="didomi-components-button"`, "Learn more")}
      ${reject(`id="didomi-notice-disagree-button" class="didomi-components-button"`, "Disagree")}
      ${accept(`id="didomi-notice-agree-button" class="didomi-components-button"`, "Agree")}</div></div></div></div></div></div>`,
    locks: { on: "body", className: "didomi-popup-open" },
  },
  "didomi-continue": {
    platform: "Didomi",
    html: `<div id="didomi-host" aria-hidden="false"><div id="didomi-popup" class="didomi-popup-backdrop" ${cover}><div class="didomi-popup-notice">
      <span class="didomi-continue-without-agreeing" role="button" tabindex="0" data-answer="reject">Continuer sans accepter →</span>${text}
      ${accept(`id="didomi-notice-agree-button"`, "Accepter &amp; Fermer")}</div></div></div>`,
    locks: { on: "body", className: "didomi-popup-open" },
  },
  quantcast: {
    platform: "Quantcast",
    html: `<div class="qc-cmp2-container" id="qc-cmp2-container"><div class="qc-cmp2-main" id="qc-cmp2-main" ${cover}>
      <div id="qc-cmp2-ui" role="dialog" class="qc-cmp2-ui qc-cmp-ui"><div class="qc-cmp2-summary-section">${text}</div>
      <div class="qc-cmp2-footer"><div class="qc-cmp2-summary-buttons">
      ${settings(`mode="secondary" size="large" class="css-1"`, "MORE OPTIONS")}${reject(`mode="secondary" size="large" class="css-1"`, "DISAGREE")}
      ${accept(`mode="primary" size="large" class="css-2"`, "AGREE")}</div></div></div></div></div>`,
    locks: { on: "html", className: "qc-cmp-ui-showing" },
  },
  "trustarc-bar": {
    platform: "TrustArc",
    html: `<div id="consent_blackbar"><div id="truste-consent-track" ${cover}><div id="truste-consent-content">
      <div id="truste-consent-text">${text}</div><div id="truste-consent-buttons">
      ${accept(`id="truste-consent-button"`)}${reject(`id="truste-consent-required"`, "Required only")}${settings(`id="truste-show-consent"`)}
      </div></div></div></div>`,
  },
  "trustarc-frame": {
    platform: "TrustArc",
    html: `<div id="truste-consent-track" ${cover}><div id="truste-consent-content">${text}
      ${accept(`id="truste-consent-button"`)}${settings(`id="truste-show-consent"`)}</div></div>
      <div class="truste_box_overlay" hidden><div class="truste_overlay"></div><div class="truste_popframe" role="dialog">
      <iframe title="Preferences" data-src="//consent-pref.trustarc.com:PORT/consent/inside?frame=trustarc"></iframe></div></div>`,
    goes: "#truste-consent-track, .truste_box_overlay",
  },
  sourcepoint: {
    platform: "Sourcepoint",
    html: `<div id="sp_message_container_1234" class="sp_message_container" ${cover}>
      <iframe id="sp_message_iframe_1234" title="SP Consent Message" src="/index.html?message_id=1234&consentUUID=1&preload_message=true" style="width:100%;height:100%;border:0"></iframe></div>`,
    locks: { on: "html", className: "sp-message-open" },
  },
  usercentrics: {
    platform: "Usercentrics",
    html: `<div id="usercentrics-root" data-created-at="1">${shadow(`<div data-testid="uc-container" ${cover}><div id="focus-lock-id">
      <div role="dialog" aria-modal="true" data-testid="uc-default-wall">${text}<div data-testid="uc-buttons-container">
      ${settings(`data-testid="uc-more-button"`)}${reject(`data-testid="uc-deny-all-button"`, "Deny")}${accept(`data-testid="uc-accept-all-button"`)}
      </div></div></div></div>`)}</div>`,
    script: "window.UC_UI = { isInitialized: () => true, closeCMP() {}, denyAllConsents: () => answer('reject') };",
    locks: { on: "body", className: "overflowHidden" },
  },
  "usercentrics-v3": {
    platform: "Usercentrics",
    html: `<aside id="usercentrics-cmp-ui" data-nosnippet style="display:block;height:1px">${shadow(`<div id="uc-overlay" ${cover}>
      <div class="cmp first center" role="dialog">${text}${reject(`id="deny" data-action-type="deny" class="uc-deny-button"`, "Deny")}
      ${accept(`id="accept" data-action-type="accept" class="uc-accept-button"`)}</div></div>`)}</aside>`,
    script: "window.UC_UI = { closeCMP() {} };",
  },
  cookieyes: {
    platform: "CookieYes",
    html: `<div class="cky-overlay"></div><div class="cky-consent-container cky-popup-center" tabindex="0" aria-label="We value your privacy" role="region" ${cover}>
      <div class="cky-consent-bar" data-cky-tag="notice"><div class="cky-notice"><p class="cky-title" role="heading" data-cky-tag="title">We value your privacy</p>${text}
      <div class="cky-notice-btn-wrapper" data-cky-tag="notice-buttons">${settings(`class="cky-btn cky-btn-customize" data-cky-tag="settings-button"`)}
      ${reject(`class="cky-btn cky-btn-reject" data-cky-tag="reject-button"`)}${accept(`class="cky-btn cky-btn-accept" data-cky-tag="accept-button"`)}</div></div></div></div>`,
    goes: ".cky-overlay, .cky-consent-container",
  },
  "cookie-law-info": {
    platform: "CookieYes",
    html: `<div id="cookie-law-info-bar" data-nosnippet="true" data-cli-style="cli-style-v2" ${cover}><span><div class="cli-bar-container cli-style-v2">
      <div class="cli-bar-message">${text}</div><div class="cli-bar-btn_container">${settings(`class="cli_settings_button"`)}
      ${accept(`id="cookie_action_close_header" class="medium cli-plugin-button"`)}</div></div></span></div>`,
    script: "window.CLI = { disableAllCookies() { record('reject') }, reject_close() { answer('close') } };",
    locks: { on: "body", className: "cli-barmodal-open" },
  },
  complianz: {
    platform: "Complianz",
    html: `<div id="cmplz-cookiebanner-container"><div class="cmplz-cookiebanner cmplz-hidden banner-1 optin cmplz-center cmplz-categories-type-view-preferences cmplz-show" aria-modal="true" data-nosnippet="true" role="dialog" ${cover}>
      <div class="cmplz-body"><div class="cmplz-message">${text}</div></div><div class="cmplz-buttons">
      ${accept(`class="cmplz-btn cmplz-accept"`, "Accept")}${reject(`class="cmplz-btn cmplz-deny"`, "Deny")}${settings(`class="cmplz-btn cmplz-view-preferences"`)}
      </div></div></div>`,
  },
  osano: {
    platform: "Osano",
    html: `<div class="osano-cm-window" dir="ltr"><div role="dialog" aria-label="Cookie Consent Banner" class="osano-cm-window__dialog osano-cm-dialog osano-cm-dialog--position_bottom osano-cm-dialog--type_bar" ${cover}>
      <div class="osano-cm-dialog__content osano-cm-content"><span class="osano-cm-content__message osano-cm-message">${text}</span></div>
      <div class="osano-cm-dialog__buttons osano-cm-buttons">${settings(`class="osano-cm-manage osano-cm-button"`)}
      ${accept(`class="osano-cm-accept-all osano-cm-button osano-cm-button--type_accept"`)}
      ${reject(`class="osano-cm-denyAll osano-cm-buttons__button osano-cm-button osano-cm-button--type_denyAll"`)}</div></div></div>`,
    script: "window.Osano = { cm: { dialogOpen: true } };",
  },
  "cookieconsent-insites": {
    platform: "Osano Cookie Consent",
    html: `<div role="dialog" aria-live="polite" aria-label="cookieconsent" aria-describedby="cookieconsent:desc" class="cc-window cc-banner cc-type-opt-in cc-theme-block cc-bottom" ${cover}>
      <span id="cookieconsent:desc" class="cc-message">${text}</span><div class="cc-compliance cc-highlight">
      ${reject(`aria-label="deny cookies" role="button" tabindex="0" class="cc-btn cc-deny"`, "Decline")}
      ${accept(`aria-label="allow cookies" role="button" tabindex="0" class="cc-btn cc-allow"`, "Allow cookies")}</div></div>`,
  },
  termly: {
    platform: "Termly",
    html: `<div id="termly-code-snippet-support"><div class="termly-styles-root" role="alertdialog" ${cover}><div class="termly-styles-message">${text}</div>
      ${settings(`class="t-preference-button" data-tid="preferences-button"`)}${reject(`class="t-declineButton" data-tid="banner-decline"`, "Decline")}
      ${accept(`class="t-acceptAllButton" data-tid="banner-accept"`)}</div></div>`,
  },
  iubenda: {
    platform: "iubenda",
    html: `<div id="iubenda-cs-banner" role="alertdialog" aria-modal="true" class="iubenda-cs-default-floating iubenda-cs-center iubenda-cs-visible" ${cover}>
      <div class="iubenda-cs-container"><div class="iubenda-cs-content"><div id="iubenda-cs-paragraph">${text}</div><div class="iubenda-cs-opt-group">
      ${settings(`class="iubenda-cs-customize-btn"`)}${reject(`class="iubenda-cs-reject-btn iubenda-cs-btn-primary"`, "Reject")}${accept(`class="iubenda-cs-accept-btn iubenda-cs-btn-primary"`, "Accept")}
      </div></div></div></div>`,
  },
  klaro: {
    platform: "Klaro",
    html: `<div id="klaro"><div lang="en" class="klaro"><div role="dialog" aria-modal="false" class="cookie-notice" ${cover}><div class="cn-body">${text}
      <div class="cn-ok">${link("settings", `class="cm-link cn-learn-more"`, "Let me choose")}<div class="cn-buttons">
      ${reject(`class="cm-btn cm-btn-danger cn-decline"`, "I decline")}${accept(`class="cm-btn cm-btn-success"`, "That's ok")}</div></div></div></div></div></div>`,
  },
  civic: {
    platform: "Civic",
    html: `<div id="ccc" class="triangle dark" ${cover}><div id="ccc-overlay"></div><div id="ccc-module" role="region"><div id="ccc-content">
      <div id="cc-panel"><h2 id="ccc-title">This site uses cookies</h2>${text}<div id="ccc-button-holder">
      ${accept(`id="ccc-recommended-settings" class="ccc-notify-button ccc-button-solid ccc-accept-button"`)}
      ${reject(`id="ccc-reject-settings" class="ccc-notify-button ccc-link ccc-reject-button"`)}</div></div></div></div></div>`,
    goes: "#ccc",
  },
  borlabs: {
    platform: "Borlabs",
    html: `<div id="BorlabsCookieBox" class="BorlabsCookie" role="dialog" aria-modal="true"><div class="middle-center" style="display:block"><div class="_brlbs-block-content"></div>
      <div class="_brlbs-box-wrap" ${cover}><div class="_brlbs-box"><div class="cookie-box">${text}
      <p class="_brlbs-accept">${link("accept", `tabindex="0" role="button" id="CookieBoxSaveButton" class="_brlbs-btn _brlbs-btn-accept-all _brlbs-cursor" data-cookie-accept-all`, "Accept all")}</p>
      <p class="_brlbs-refuse-btn">${link("reject", `class="_brlbs-btn _brlbs-cursor" tabindex="0" role="button" data-cookie-refuse`, "Only essential cookies")}</p>
      </div></div></div></div></div>`,
  },
  "borlabs-v3": {
    platform: "Borlabs",
    html: `<div id="BorlabsCookieBox"><div data-nosnippet><div class="brlbs-cmpnt-container brlbs-cmpnt-dialog-backdrop"></div>
      <div class="brlbs-cmpnt-container brlbs-cmpnt-dialog brlbs-cmpnt-dialog-box-advanced" role="dialog" ${cover}>${text}
      <div class="brlbs-cmpnt-dialog-footer">${accept(`class="brlbs-btn brlbs-btn-accept-all"`)}
      ${reject(`class="brlbs-btn brlbs-btn-accept-only-essential"`, "Nur essenzielle")}</div></div></div></div>`,
  },
  "hu-manity": {
    platform: "Cookie Notice",
    html: `<div id="hu" role="dialog" class="hu-wrapper hu-visible hu-position-bottom" aria-label="Privacy Consent" ${cover}><div id="hu-banner" class="hu-banner">
      <div class="hu-text">${text}</div><div class="hu-buttons">${reject(`id="hu-cookies-save" class="hu-btn"`, "Private")}
      ${accept(`id="hu-cookies-accept" class="hu-btn"`, "Personalized")}</div></div></div>`,
  },
  "cookie-notice": {
    platform: "Cookie Notice",
    html: `<div id="cookie-notice" role="dialog" class="cookie-notice-hidden cookie-revoke-hidden cn-position-bottom cookie-notice-visible" aria-label="Cookie Notice" ${cover}>
      <div class="cookie-notice-container"><span id="cn-notice-text" class="cn-text-container">${text}</span><span id="cn-notice-buttons" class="cn-buttons-container">
      ${link("accept", `id="cn-accept-cookie" data-cookie-set="accept" class="cn-set-cookie cn-button" aria-label="Ok"`, "Ok")}
      ${link("reject", `id="cn-refuse-cookie" data-cookie-set="refuse" class="cn-set-cookie cn-button" aria-label="No"`, "No")}</span></div></div>`,
  },
  tarteaucitron: {
    platform: "tarteaucitron",
    html: `<div id="tarteaucitronRoot" role="region" class="tarteaucitronSize-middle tarteaucitronBeforeVisible"><div id="tarteaucitronAlertBig" class="tarteaucitronAlertBigTop" role="alertdialog" ${cover}>
      <span id="tarteaucitronDisclaimerAlert">${text}</span>${accept(`id="tarteaucitronPersonalize2" class="tarteaucitronCTAButton tarteaucitronAllow"`, "OK, tout accepter")}
      ${reject(`id="tarteaucitronAllDenied2" class="tarteaucitronCTAButton tarteaucitronDeny"`, "Interdire tous les cookies")}
      ${settings(`id="tarteaucitronCloseAlert"`, "Personnaliser")}</div></div>`,
    script: "window.tarteaucitron = { userInterface: { respondAll: (all) => answer(all ? 'accept' : 'reject') } };",
  },
  axeptio: {
    platform: "Axeptio",
    html: `<div id="axeptio_overlay" class="axeptio_mount"><div class="needsclick" style="position:fixed;inset:0;z-index:2147483647">${shadow(`<div class="axeptio_widget axeptio-widget--open" ${cover}>
      <div role="dialog">${text}${reject(`id="axeptio_btn_dismiss" class="ax-discardButton"`, "Non merci")}${settings(`id="axeptio_btn_configure"`, "Je choisis")}
      ${accept(`id="axeptio_btn_acceptAll"`, "OK pour moi")}</div></div>`)}</div></div>`,
  },
  cookiefirst: {
    platform: "CookieFirst",
    html: `<div class="cookiefirst-root notranslate" id="cookiefirst-root" data-nosnippet="true" ${cover}><div role="dialog" data-cookiefirst-widget="banner">${text}
      ${accept(`data-cookiefirst-action="accept"`)}${reject(`data-cookiefirst-action="reject"`)}</div></div>`,
  },
  consentmanager: {
    platform: "Consentmanager",
    html: `<div id="cmpwrapper"><div id="cmpbox2" class="cmpbox"></div><div class="cmpbox cmpstyleroot cmpBoxWelcomeGDPR" id="cmpbox" role="dialog" aria-modal="true" ${cover}><div class="cmpboxinner">
      <div class="cmpmore"><a href="#" class="cmpmorelink">Imprint</a></div>${text}<div class="cmpboxbtns">
      ${link("accept", `class="cmpboxbtn cmpboxbtnyes cmptxt_btn_yes" role="button"`, "Accept all")}${link("reject", `class="cmpboxbtn cmpboxbtnno cmptxt_btn_no" role="button"`, "Reject")}
      ${link("settings", `class="cmpboxbtn cmpboxbtncustom" role="button"`, "Settings")}</div></div></div></div>`,
  },
  "consentmanager-api": {
    platform: "Consentmanager",
    html: `<div id="cmpwrapper"><div class="cmpbox" id="cmpbox" role="dialog" ${cover}><div class="cmpmore">…</div>${text}${accept(`class="cmpboxbtn cmpboxbtnyes"`)}</div></div>`,
    script: `window.__cmp = (command, value) => {
      if (command === "getCMPData") return { gdprApplies: true };
      if (command === "consentStatus") return { userChoiceExists: false };
      if (command === "setConsent") { answer(value ? "accept" : "reject"); return true; }
    };`,
  },
  ketch: {
    platform: "Ketch",
    html: `<div id="lanyard_root"><div id="ketch-consent-banner"><div role="dialog" aria-modal="true" aria-describedby="banner-description" ${cover}><p id="banner-description">${text}</p>
      <div id="ketch-banner-buttons-container">${settings(`aria-label="Manage preferences" class="ketch-buttons-secondary"`)}
      ${reject(`aria-label="Reject All" id="ketch-banner-button-tertiary"`)}${accept(`aria-label="Accept All" id="ketch-banner-button-primary"`)}</div></div></div></div>`,
  },
  shopify: {
    platform: "Shopify",
    html: `<div id="shopify-pc__banner" role="alertdialog" class="shopify-pc__banner__dialog" aria-modal="false" ${cover}><div class="shopify-pc__banner__body"><h2>Cookie consent</h2>${text}</div>
      <div class="shopify-pc__banner__btns">${settings(`id="shopify-pc__banner__btn-manage-prefs"`)}${accept(`id="shopify-pc__banner__btn-accept"`, "Accept")}
      ${reject(`id="shopify-pc__banner__btn-decline"`, "Decline")}</div></div>`,
  },
  "funding-choices": {
    platform: "Google Funding Choices",
    html: `<div class="fc-consent-root"><div class="fc-dialog-overlay"></div><div class="fc-dialog-container" ${cover}><div class="fc-dialog fc-choice-dialog" role="dialog" tabindex="-1">
      <div class="fc-dialog-scrollable-content">${text}</div><div class="fc-footer-buttons-container"><div class="fc-footer-buttons">
      ${accept(`class="fc-button fc-cta-consent fc-primary-button" aria-label="Consent"`, `<p class="fc-button-label">Consent</p>`)}
      ${reject(`class="fc-button fc-cta-do-not-consent fc-secondary-button" aria-label="Do not consent"`, `<p class="fc-button-label">Do not consent</p>`)}
      </div></div></div></div></div>`,
  },
  "cookie-information": {
    platform: "Cookie Information",
    html: `<div id="cookie-information-template-wrapper"><div id="coiOverlay" role="dialog" aria-modal="true" ${cover}><div id="coiPage-1"><div class="coi-banner__summary">${text}</div>
      ${reject(`class="coi-banner__decline" onclick="CookieInformation.declineAllCategories()"`, "Decline all")}${accept(`class="coi-banner__accept"`)}</div></div></div>`,
    script:
      "window.CookieInformation = { declineAllCategories: () => answer('reject'), submitAllCategories: () => answer('accept') };",
  },
  "piwik-pro": {
    platform: "Piwik PRO",
    html: `<div id="ppms_cm_popup_overlay" class="ppms_cm_popup_overlay"><div id="ppms_cm_popup_wrapper" class="ppms_cm_popup_wrapper" ${cover}><div id="ppms_cm_popup" class="ppms_cm_popup" role="dialog">
      <div id="ppms_cm_popup_main_text" class="ppms_cm_popup_main_text">${text}</div>${reject(`class="ppms_cm_button ppms_cm_reject-all" id="ppms_cm_reject-all"`)}
      ${accept(`class="ppms_cm_button ppms_cm_agree-to-all" id="ppms_cm_agree-to-all"`, "Agree to all")}</div></div></div>`,
  },
  moove: {
    platform: "Moove",
    html: `<aside id="moove_gdpr_cookie_info_bar" class="moove-gdpr-align-center moove-gdpr-light-scheme gdpr_infobar_postion_bottom" aria-label="GDPR Cookie Banner" role="dialog" ${cover}>
      <div class="moove-gdpr-info-bar-container"><div class="moove-gdpr-cookie-notice">${text}</div><div class="moove-gdpr-button-holder">
      ${accept(`class="mgbutton moove-gdpr-infobar-allow-all"`, "Accept")}${reject(`class="mgbutton moove-gdpr-infobar-reject-btn"`, "Reject")}</div></div></aside>`,
  },
  "real-cookie-banner": {
    platform: "Real Cookie Banner",
    html: `<div consent-skip-blocker="1" id="a1b2" data-bg="rgba(0,0,0,0.38)"><dialog open ${cover}><div><div><div><div><div>${text}
      ${link("accept", `role="button" id="c3d4"`, "<span>Alle akzeptieren</span>")}${link("reject", `role="button"`, "<span>Weiter ohne Einwilligung</span>")}
      ${link("settings", `role="button"`, "<span>Privatsphäre-Einstellungen</span>")}</div></div></div></div></div></dialog></div>`,
  },
  "gdpr-cookie-consent": {
    platform: "WP Cookie Notice for GDPR",
    html: `<div id="gdpr-cookie-consent-bar" class="gdpr gdpr-banner gdpr-default theme-default" data-nosnippet ${cover}><div class="gdpr_messagebar_content">${text}
      ${link("accept", `id="cookie_action_accept" class="gdpr_action_button btn"`, "Accept")}${link("reject", `id="cookie_action_reject" class="gdpr_action_button btn"`, "Decline")}</div></div>`,
  },
  "cookie-script": {
    platform: "CookieScript",
    html: `<div id="cookiescript_injected" role="dialog" data-nosnippet class="cookiescript_checkbox_bottom" ${cover}><div id="cookiescript_description">${text}</div>
      <div id="cookiescript_buttons">${accept(`id="cookiescript_accept"`)}${reject(`id="cookiescript_reject"`, "Decline all")}</div></div>`,
  },
  hubspot: {
    platform: "HubSpot",
    html: `<div id="hs-eu-cookie-confirmation" class="hs-cookie-notification-position-bottom" role="dialog" ${cover}><div id="hs-eu-cookie-confirmation-inner"><div id="hs-eu-policy-wording">${text}</div>
      <div id="hs-en-cookie-confirmation-buttons-area">${accept(`id="hs-eu-confirmation-button"`, "Accept")}${reject(`id="hs-eu-decline-button"`, "Decline")}</div></div></div>`,
  },
  "cookieconsent-v3": {
    platform: "CookieConsent",
    html: `<div id="cc-main" data-nosnippet><div class="cm-wrapper" ${cover}><div class="cm cm--box cm--bottom" role="dialog" aria-modal="true"><div class="cm__body">${text}</div>
      <div class="cm__btns">${accept(`class="cm__btn" data-role="all"`)}${reject(`class="cm__btn" data-role="necessary"`)}</div></div></div></div>`,
    locks: { on: "html", className: "show--consent" },
  },
  "eu-cookie-compliance": {
    platform: "EU Cookie Compliance",
    html: `<div id="sliding-popup" class="sliding-popup-bottom" ${cover}><div class="eu-cookie-compliance-banner eu-cookie-compliance-banner-info eu-cookie-compliance-banner--opt-in"><div class="popup-content info">
      ${text}<div id="popup-buttons">${accept(`class="agree-button eu-cookie-compliance-secondary-button"`)}${reject(`class="decline-button eu-cookie-compliance-default-button"`, "No, thanks")}</div></div></div></div>`,
    locks: { on: "body", className: "eu-cookie-compliance-popup-open" },
  },
  pandectes: {
    platform: "Pandectes",
    html: `<div id="pandectes-banner" class="cc-window cc-floating cc-type-opt-in" role="dialog" ${cover}><div id="pandectes-cookieconsent:desc">${text}</div>
      <div class="cc-compliance">${settings(`class="cc-btn cc-settings"`)}${reject(`class="cc-btn cc-deny"`, "Decline")}${accept(`class="cc-btn cc-allow"`, "Accept")}</div></div>`,
  },
  wix: {
    platform: "Wix",
    html: `<div data-hook="ccsu-banner-wrapper" ${cover}><div data-hook="ccsu-banner-text">${text}</div>${settings(`data-hook="ccsu-banner-settings"`)}
      ${reject(`data-hook="ccsu-banner-decline-all"`, "Decline All")}${accept(`data-hook="ccsu-banner-accept"`, "Accept")}</div>`,
  },
  squarespace: {
    platform: "Squarespace",
    html: `<div class="cookie-banner-mount-point"><section class="gdpr-cookie-banner" aria-label="Cookie banner" ${cover}>${text}
      ${reject(`class="decline"`, "Decline All")}${accept(`class="accept"`)}</section></div>`,
  },
  evidon: {
    platform: "Evidon",
    html: `<div id="_evidon-background"></div><div id="_evidon_banner" class="evidon-banner" role="alertdialog" ${cover}><div id="_evidon-message" class="evidon-banner-message">${text}</div>
      ${settings(`id="_evidon-option-button" class="evidon-banner-optionbutton"`)}${reject(`id="_evidon-decline-button" class="evidon-banner-declinebutton"`, "Decline")}
      ${accept(`id="_evidon-accept-button" class="evidon-banner-acceptbutton"`)}</div>`,
    goes: "#_evidon-background, #_evidon_banner",
  },
  jetpack: {
    platform: "Jetpack",
    html: `<div class="widget widget_eu_cookie_law_widget"><div class="hide-on-button top" id="eu-cookie-law" ${cover}>${text}
      <form method="post">${accept(`class="accept"`, "Close and accept")}</form></div></div>`,
    hides: true,
  },
};

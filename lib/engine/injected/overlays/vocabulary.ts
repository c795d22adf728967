// The vocabulary of overlays, in the languages of most pages: pure data.

/** Comma-separated lists. `*` matches the rest of a word, `**` the rest of the label. A match in a part of the label is enough, unless stated. */
export interface Words {
  /** Words for cookies. */
  readonly cookie: string;
  /** Words for privacy and consent. */
  readonly privacy: string;
  /** Words that consent banners use with them. */
  readonly context: string;
  /** Labels that reject. */
  readonly reject: string;
  /** In labels that reject everything. */
  readonly all: string;
  /** A label with one of each of these two keeps what is necessary. */
  readonly only: string;
  readonly needed: string;
  /** In labels that accept. */
  readonly accept: string;
  /** In labels that open settings, or a text. */
  readonly settings: string;
  /** Labels that start with one close the overlay. */
  readonly close: string;
  /** Labels that consist of these words decline an offer. */
  readonly later: string;
  /** Words of other overlays: newsletters, apps, age, location, notifications. */
  readonly offer: string;
}

export const vocabulary: Readonly<Record<string, Words>> = {
  English: {
    cookie: "cookie*",
    privacy:
      "privacy, consent, gdpr, ccpa, tracking, trackers, personal data, personal information, your data, data protection",
    context:
      "use, uses, using, site, website, experience, improve, partners, third part*, analytics, personali*, policy, browsing, advertis*, store, services",
    reject:
      "reject*, decline*, refuse*, deny, denies, disagree, opt out, object to all, without accepting, without agreeing, without consent, without cookies, do not accept, don't accept, not accept, do not agree, don't agree, do not consent, do not allow, don't allow, disallow*, disable all, block all, turn off all, no cookies, do not sell*, no thanks, no thank you",
    all: "all, everything, every",
    only: "only, just, solely",
    needed: "necessary, essential*, required, functional, technical, strictly",
    accept: "accept*, agree*, allow*, consent, enable*, ok, okay, got it, understand, understood, yes, i'm fine, fine",
    settings:
      "settings, preferences, manage, customi*, options, learn more, more information, more info, choices, details, policy",
    close: "close*, dismiss, hide, exit, skip",
    later:
      "no thanks, no thank you, no, not now, maybe later, later, not interested, skip, continue reading, stay here, remind me later, ask me later, don't allow, block",
    offer:
      "newsletter*, subscribe*, sign up, mailing list, inbox, our app, the app, download, install, notifications, push, years old, of age, your age, over 18, 18 or older, 21 or older, legal drinking age, your country, your region, your location, change region, % off, discount, coupon, offer, special, chat with us, support us, adblocker, ad blocker, survey, feedback, continue reading, free trial, membership, unlimited access",
  },
  German: {
    cookie: "cookie*, keks*",
    privacy: "datenschutz*, einwilligung*, zustimmung*, privatsphare*, dsgvo, personenbezogen*, tracking",
    context:
      "verwenden, nutzen, verwendet, nutzt, einsatz, website, webseite, seite, erlebnis, verbessern, partner*, dritt*, analyse*, personalisier*, richtlinie*, werbung, speicher*, dienste*",
    reject:
      "ablehnen, ablehne, lehne ab, abgelehnt, verweiger*, widersprechen, widerspreche, nicht akzeptieren, nicht zustimmen, nicht einverstanden, stimme nicht zu, nicht erlauben, nicht zulassen, ohne zustimmung, ohne einwilligung, ohne zu akzeptieren, ohne akzeptieren, ohne cookies, keine cookies, nein danke, deaktivieren, alles verbieten",
    all: "alle, alles, allen",
    only: "nur, ausschliesslich, ausschließlich, lediglich",
    needed:
      "notwendig*, erforderlich*, essenziell*, essentiell*, technisch*, funktional*, notige*, unbedingt, zwingend*",
    accept:
      "akzeptier*, annehmen, zustimmen, stimme zu, einverstanden, erlaub*, zulassen, alles klar, verstanden, ja, aktivieren, einwilligen",
    settings:
      "einstellungen, einstellung, anpassen, verwalten, mehr erfahren, mehr informationen, optionen, details, auswahl",
    close: "schließen, schliessen, ausblenden, uberspringen, zumachen",
    later:
      "nein danke, nein, jetzt nicht, nicht jetzt, vielleicht spater, spater, kein interesse, weiterlesen, nicht erlauben, abbrechen",
    offer:
      "abonnier*, anmelden, rabatt, gutschein, unsere app, herunterladen, benachrichtigung*, jahre alt, volljahrig, dein land, ihr land, ihre region, angebot, weiterlesen, werbeblocker, umfrage",
  },
  French: {
    cookie: "cookie*, traceur*, temoins de connexion",
    privacy: "confidentialite, consentement, vie privee, donnees personnelles, rgpd, vos donnees",
    context:
      "utilis*, site, experience, ameliorer, partenaires, tiers, mesure*, statisti*, personnalis*, politique, publicit*, navigation, stock*, services",
    reject:
      "refuser, refuse, je refuse, tout refuser, rejeter, rejette*, decliner, sans accepter, sans consentir, sans cookies, ne pas accepter, n'accepte pas, pas d'accord, ne pas autoriser, s'opposer, m'opposer, interdire*, desactiver, non merci, continuer sans **",
    all: "tout, tous, toutes",
    only: "uniquement, seulement, seuls, que, exclusivement",
    needed:
      "necessaires, necessaire, essentiels, essentiel, obligatoires, indispensables, fonctionnels, techniques, strictement",
    accept: "accepter, accepte, j'accepte, d'accord, autoriser, j'ai compris, compris, oui, consentir, je consens",
    settings: "parametres, parametrer, personnaliser, gerer, en savoir plus, preferences, configurer, choix, options",
    close: "fermer, masquer, ignorer, quitter, passer",
    later: "non merci, non, plus tard, pas maintenant, peut-etre plus tard, continuer la lecture, ignorer",
    offer:
      "newsletter*, infolettre, abonnez*, s'abonner, inscrivez*, notre application, l'application, telecharg*, notifications, ans, majeur, votre pays, votre region, remise, reduction, offre",
  },
  Spanish: {
    cookie: "cookie*, galletas",
    privacy: "privacidad, consentimiento, datos personales, rgpd, proteccion de datos, sus datos",
    context:
      "utiliza*, usamos, usa, uso, sitio, web, experiencia, mejorar, socios, terceros, analit*, estadist*, personaliza*, politica, publicidad, navega*, almacen*, servicios",
    reject:
      "rechazar, rechazo, rechaza, rechazarlas, denegar, declinar, sin aceptar, sin consentir, sin cookies, no acepto, no aceptar, no permitir, no estoy de acuerdo, no consentir, deniego, desactivar, bloquear todas, no gracias",
    all: "todo, todos, todas",
    only: "solo, solamente, unicamente, exclusivamente",
    needed:
      "necesarias, necesarios, necesaria, esenciales, imprescindibles, obligatorias, tecnicas, funcionales, estrictamente, requeridas",
    accept: "aceptar, acepto, aceptarlas, acepta, permitir, de acuerdo, entendido, si, consentir, vale, habilitar",
    settings:
      "configuracion, configurar, preferencias, gestionar, mas informacion, personalizar, opciones, ajustes, administrar, leer mas",
    close: "cerrar, ocultar, omitir, salir, saltar, descartar",
    later: "no gracias, no, ahora no, mas tarde, quizas mas tarde, seguir leyendo, no me interesa",
    offer:
      "boletin, newsletter*, suscrib*, registrate, nuestra app, la app, descarg*, notificaciones, anos, mayor de edad, tu pais, su pais, tu region, descuento, oferta",
  },
  Portuguese: {
    cookie: "cookie*",
    privacy: "privacidade, consentimento, dados pessoais, lgpd, rgpd, protecao de dados, seus dados",
    context:
      "utiliza*, usamos, usa, uso, site, experiencia, melhorar, parceiros, terceiros, analis*, estatist*, personaliza*, politica, publicidade, navega*, armazen*, servicos",
    reject:
      "rejeitar, rejeito, rejeita, recusar, recuso, recusa, negar, declinar, sem aceitar, sem consentir, sem cookies, nao aceito, nao aceitar, nao concordo, nao permitir, discordo, desativar, bloquear todos, nao obrigado, nao obrigada",
    all: "todo, todos, todas, tudo",
    only: "apenas, somente, so, unicamente, exclusivamente",
    needed: "necessarios, necessario, essenciais, obrigatorios, indispensaveis, tecnicos, funcionais, estritamente",
    accept: "aceitar, aceito, aceite, concordo, concordar, permitir, entendi, sim, prosseguir, ciente, autorizar",
    settings:
      "configuracoes, configurar, definicoes, preferencias, gerir, gerenciar, saiba mais, saber mais, personalizar, opcoes",
    close: "fechar, feche, ocultar, dispensar, ignorar, pular, sair",
    later: "nao obrigado, nao obrigada, nao, agora nao, mais tarde, talvez mais tarde, continuar lendo",
    offer:
      "newsletter*, boletim, inscrev*, assine, nosso app, aplicativo, baixar, baixe, notificacoes, anos, maior de idade, seu pais, sua regiao, desconto, oferta",
  },
  Italian: {
    cookie: "cookie*",
    privacy: "privacy, consenso, dati personali, gdpr, riservatezza, tuoi dati",
    context:
      "utilizza*, usa, usiamo, uso, sito, esperienza, migliorare, partner, terze parti, terzi, analitic*, statistic*, personalizza*, informativa, pubblicita, navigazione, memorizz*, servizi",
    reject:
      "rifiuta*, rifiuto, nega, respingi, declina, senza accettare, senza consenso, senza cookie, non accetto, non accettare, non acconsento, non consentire, non sono d'accordo, disattiva, blocca tutti, no grazie",
    all: "tutto, tutti, tutte",
    only: "solo, soltanto, unicamente, esclusivamente",
    needed: "necessari, necessario, essenziali, obbligatori, indispensabili, tecnici, funzionali, strettamente",
    accept: "accetta*, accetto, acconsent*, consenti, d'accordo, ho capito, si, permetti, autorizza, va bene",
    settings: "impostazioni, personalizza, preferenze, gestisci, maggiori informazioni, scopri di piu, opzioni, scelte",
    close: "chiudi*, nascondi, ignora, salta, esci",
    later: "no grazie, no, non ora, piu tardi, forse piu tardi, continua a leggere",
    offer:
      "newsletter*, iscriviti, abbonati, nostra app, l'app, scarica*, notifiche, anni, maggiorenne, tuo paese, tua regione, sconto, offerta",
  },
  Dutch: {
    cookie: "cookie*",
    privacy: "privacy*, toestemming, persoonsgegevens, avg, uw gegevens, je gegevens",
    context:
      "gebruik*, site, website, ervaring, verbeteren, partners, derden, analy*, statistie*, personalis*, beleid, adverten*, opslaan, diensten",
    reject:
      "weiger*, afwijzen, wijs af, alles afwijzen, niet accepteren, niet akkoord, niet toestaan, zonder accepteren, zonder te accepteren, zonder toestemming, zonder cookies, geen cookies, ik ga niet akkoord, uitschakelen, nee bedankt",
    all: "alle, alles, allemaal",
    only: "alleen, enkel, uitsluitend",
    needed: "noodzakelijk*, essentiele, vereist*, functionele, technische, strikt, nodige, basis",
    accept: "accepteer*, accepteren, akkoord, toestaan, begrepen, ja, sta toe, oke, goedkeuren, toestemmen",
    settings: "instellingen, voorkeuren, aanpassen, beheren, beheer, meer informatie, meer weten, opties, lees meer",
    close: "sluit*, sluiten, verberg*, overslaan",
    later: "nee bedankt, nee dank je, nee, niet nu, later, misschien later, verder lezen",
    offer:
      "nieuwsbrief*, abonneer, aanmelden, inschrijven, onze app, de app, downloaden, meldingen, jaar oud, jaar of ouder, uw land, je regio, korting, aanbieding",
  },
  Polish: {
    cookie: "cookie*, ciastecz*, ciasteka*, pliki cookies, plikow cookies",
    privacy: "prywatnosc*, zgod*, dane osobowe, danych osobowych, rodo",
    context:
      "uzywa*, korzysta*, stron*, serwis*, witryn*, doswiadcz*, partner*, analit*, statyst*, personaliz*, polityk*, reklam*, przechow*, uslug*",
    reject:
      "odrzu*, odmow*, odmawiam, nie zgadzam*, nie akceptuj*, nie wyrazam*, nie zezwalaj, bez akceptacji, bez zgody, bez akceptowania, bez cookies, sprzeciw*, wylacz wszystkie, nie dziekuje",
    all: "wszystk*",
    only: "tylko, wylacznie, jedynie",
    needed: "niezbedn*, koniecz*, wymagan*, podstawow*, techniczn*, funkcjonaln*",
    accept: "akceptuj*, zaakceptuj, zgadzam*, zgoda, zezwol*, zezwalam, rozumiem, tak, przejdz, wyrazam",
    settings: "ustawienia, ustawien, dostosuj, zarzadzaj, preferencj*, wiecej, opcje, szczegoly",
    close: "zamkn*, zamykam, ukryj, pomin",
    later: "nie dziekuje, nie, nie teraz, pozniej, moze pozniej, czytaj dalej",
    offer:
      "newsletter*, subskryb*, zapisz, nasza aplikacja, aplikacje, pobierz, powiadomienia, lat, pelnoletni*, twoj kraj, rabat, zniz*",
  },
  Russian: {
    cookie: "cookie*, куки*, кук",
    privacy: "конфиденциальн*, согласи*, персональн*, приватност*, личных данных",
    context:
      "используе*, использов*, сайт*, опыт*, улучш*, партнер*, аналитик*, статистик*, персонализ*, политик*, реклам*, хран*, сервис*, услуг*",
    reject:
      "отклон*, отказ*, отвергн*, не принима*, не принять, не соглас*, не разреш*, без согласия, без принятия, продолжить без **, без cookie, запретить, отключить все, нет спасибо",
    all: "все, всё, всех, всё",
    only: "только, лишь, исключительно",
    needed: "необходим*, обязательн*, основн*, технич*, функциональн*, нужные",
    accept: "принять, принима*, принять все, соглас*, разреш*, хорошо, понятно, понял*, да, ок",
    settings: "настрой*, параметр*, управл*, подробн*, узнать больше, выбор",
    close: "закр*, скрыть, пропустить",
    later: "нет спасибо, нет, не сейчас, позже, может быть позже, продолжить чтение",
    offer: "рассылк*, подпис*, приложени*, скача*, уведомлени*, лет, совершеннолетн*, ваш город, ваш регион, скидк*",
  },
  Ukrainian: {
    cookie: "cookie*, кукі*, куки*",
    privacy: "конфіденційн*, згод*, персональн*, приватн*",
    context:
      "використову*, сайт*, досвід*, покращ*, партнер*, аналітик*, статистик*, персоналіз*, політик*, реклам*, зберіг*, послуг*",
    reject:
      "відхил*, відмов*, не прийма*, не погодж*, не дозвол*, без згоди, без прийняття, продовжити без **, заборонити, ні дякую",
    all: "все, всі, усі, усе, всіх",
    only: "лише, тільки, виключно",
    needed: "необхідн*, обовязков*, обов'язков*, основн*, технічн*, функціональн*, потрібні",
    accept: "прийня*, прийма*, погодж*, дозвол*, зрозуміл*, так, добре, згоден, згодна",
    settings: "налашту*, параметр*, керува*, докладн*, детальн*, дізнатися",
    close: "закри*, сховати, приховати, пропустити",
    later: "ні дякую, ні, не зараз, пізніше",
    offer: "розсилк*, підпи*, застосун*, завантаж*, сповіщен*, років, знижк*",
  },
  Japanese: {
    cookie: "cookie, クッキー",
    privacy: "プライバシー, 同意, 個人情報, 個人データ, トラッキング",
    context: "使用, 利用, サイト, 体験, 向上, 改善, パートナー, 第三者, 分析, パーソナライズ, ポリシー, 広告, サービス",
    reject: "拒否, 同意しない, 同意せず, 許可しない, 受け入れない, 承諾しない, 辞退, 無効にする, 拒絶",
    all: "すべて, 全て, 全部",
    only: "のみ, だけ, 限定",
    needed: "必須, 必要, 不可欠, 最低限",
    accept: "同意, 受け入れ, 許可, 承諾, 了解, はい, 有効, 承認",
    settings: "設定, 詳細, 管理, カスタマイズ, オプション, 選択",
    close: "閉じる, とじる, スキップ, 非表示",
    later: "いいえ, 後で, あとで, 今はしない, 今はいい, 結構です, 許可しない",
    offer:
      "ニュースレター, メルマガ, 登録, 購読, アプリ, ダウンロード, 通知, 歳以上, 年齢, お住まい, 国を選択, 割引, クーポン",
  },
  "Chinese, simplified": {
    cookie: "cookie, 曲奇",
    privacy: "隐私, 同意, 个人信息, 个人数据, 跟踪",
    context: "使用, 网站, 体验, 改善, 提升, 合作伙伴, 第三方, 分析, 个性化, 政策, 广告, 存储, 服务",
    reject: "拒绝, 不同意, 不接受, 不允许, 全部禁用, 禁用所有, 婉拒, 不,谢谢",
    all: "全部, 所有, 一切",
    only: "仅, 只, 仅限",
    needed: "必要, 必需, 必须, 基本, 功能性",
    accept: "接受, 同意, 允许, 知道了, 好的, 确定, 是的, 明白",
    settings: "设置, 管理, 偏好, 了解更多, 详情, 自定义, 选项",
    close: "关闭, 隐藏, 跳过, 取消",
    later: "不用了, 不了, 以后再说, 稍后, 暂不, 否, 不, 不,谢谢",
    offer: "订阅, 通讯, 应用, 下载, 通知, 岁, 年龄, 国家, 地区, 折扣, 优惠",
  },
  "Chinese, traditional": {
    cookie: "cookie, 曲奇",
    privacy: "隱私, 私隱, 同意, 個人資料, 個人資訊, 追蹤",
    context: "使用, 網站, 體驗, 改善, 提升, 合作夥伴, 第三方, 分析, 個人化, 政策, 廣告, 儲存, 服務",
    reject: "拒絕, 不同意, 不接受, 不允許, 全部停用, 停用所有, 婉拒",
    all: "全部, 所有, 一切",
    only: "僅, 只, 僅限",
    needed: "必要, 必需, 必須, 基本, 功能性",
    accept: "接受, 同意, 允許, 知道了, 好的, 確定, 是的, 明白, 了解",
    settings: "設定, 管理, 偏好, 了解更多, 瞭解更多, 詳情, 自訂, 選項",
    close: "關閉, 隱藏, 跳過, 略過, 取消",
    later: "不用了, 不了, 以後再說, 稍後, 暫不, 否, 不",
    offer: "訂閱, 電子報, 應用程式, 下載, 通知, 歲, 年齡, 國家, 地區, 折扣, 優惠",
  },
  Korean: {
    cookie: "쿠키, cookie",
    privacy: "개인정보, 동의, 프라이버시, 개인 정보, 추적",
    context: "사용, 이용, 사이트, 웹사이트, 경험, 향상, 개선, 파트너, 제3자, 분석, 맞춤, 정책, 광고, 서비스",
    reject: "거부, 거절, 동의하지 않, 동의 안, 허용 안, 허용하지 않, 수락하지 않, 사용 안, 동의 없이, 비동의",
    all: "모두, 모든, 전체, 전부",
    only: "만, 오직",
    needed: "필수, 필요한, 필수적",
    accept: "동의, 수락, 허용, 승인, 확인, 알겠, 네, 예",
    settings: "설정, 관리, 자세히, 환경설정, 옵션, 맞춤 설정, 선택",
    close: "닫기, 닫다, 숨기기, 건너뛰기",
    later: "아니요, 아니오, 나중에, 다음에, 괜찮습니다, 오늘 하루 보지 않기, 다시 보지 않기",
    offer: "뉴스레터, 구독, 앱, 다운로드, 알림, 세 이상, 나이, 국가, 지역, 할인, 쿠폰, 이벤트",
  },
  Turkish: {
    cookie: "cookie*, cerez*",
    privacy: "gizlilik*, kvkk, onay*, riza*, kisisel veri*, izleme",
    context:
      "kullan*, site*, deneyim*, gelistir*, ortak*, ucuncu taraf*, analiz*, istatistik*, kisisellestir*, politika*, reklam*, sakla*, hizmet*",
    reject:
      "reddet*, reddediyorum, kabul etmiyorum, kabul etme, kabul etmeden, izin verme, onaylamiyorum, onay vermeden, hayir tesekkurler, katilmiyorum",
    all: "tum*, hepsi*",
    only: "yalnizca, sadece, yalniz",
    needed: "gerekli*, zorunlu*, temel, islevsel*, teknik*",
    accept: "kabul et, kabul ediyorum, kabul, izin ver, onayla*, tamam, anladim, evet, onayliyorum",
    settings: "ayar*, tercih*, yonet*, daha fazla, ozellestir*, secenek*, detay*",
    close: "kapat*, gizle, atla",
    later: "hayir tesekkurler, hayir, simdi degil, daha sonra, belki sonra",
    offer: "bulten*, abone*, uygulama*, indir*, bildirim*, yasinda*, yasindan, ulke*, indirim",
  },
  Arabic: {
    cookie: "كوكيز, الكوكيز, ملفات تعريف الارتباط, ملفات الارتباط, cookie*",
    privacy: "الخصوصية, خصوصية, خصوصيتك, الموافقة, موافقتك, البيانات الشخصية, بياناتك, التتبع",
    context:
      "نستخدم, يستخدم, استخدام, الموقع, موقعنا, تجربة, تجربتك, تحسين, لتحسين, شركاء, شركائنا, تحليل, تخصيص, سياسة, الاعلانات, خدمات",
    reject:
      "رفض, ارفض, أرفض, الرفض, لا اوافق, لا أوافق, عدم الموافقة, عدم القبول, لا اقبل, بدون موافقة, دون موافقة, دون قبول, لا شكرا, تعطيل الكل",
    all: "الكل, جميع, كل",
    only: "فقط",
    needed: "الضرورية, ضرورية, الاساسية, الأساسية, المطلوبة, اللازمة",
    accept: "قبول, اقبل, أقبل, موافق, اوافق, أوافق, الموافقة, سماح, السماح, نعم, حسنا, فهمت",
    settings: "اعدادات, الاعدادات, إعدادات, الإعدادات, تفضيلات, التفضيلات, ادارة, إدارة, المزيد, تخصيص, خيارات",
    close: "اغلاق, إغلاق, اغلق, أغلق, غلق, اخفاء, تخطي",
    later: "لا شكرا, لا, ليس الان, لاحقا, ربما لاحقا",
    offer: "النشرة, اشترك, الاشتراك, التطبيق, تطبيقنا, تحميل, الاشعارات, عمرك, سنة, بلدك, دولتك, خصم",
  },
  Hebrew: {
    cookie: "עוגיות, עוגיה, קוקיז, קובצי cookie, cookie*",
    privacy: "פרטיות, הפרטיות, הסכמה, הסכמתך, מידע אישי, מעקב",
    context:
      "משתמש, משתמשים, שימוש, האתר, אתר, חוויה, חוויית, לשפר, שיפור, שותפים, צד שלישי, ניתוח, התאמה, מדיניות, פרסום, שירותים",
    reject:
      "דחה, דחיה, דחייה, דחיית, לדחות, דחו, סרב, סירוב, לסרב, לא מסכים, לא מסכימה, לא מאשר, ללא הסכמה, בלי לאשר, המשך ללא **, לא תודה, אל תאשר",
    all: "הכל, הכול, כל",
    only: "רק, בלבד",
    needed: "הכרחי*, הכרחיות, ההכרחיות, חיוני*, חיוניות, החיוניות, נדרשות, הנחוצות, נחוצות",
    accept: "אישור, אשר, מאשר, מאשרת, קבל, לקבל, קבלת, מסכים, מסכימה, הבנתי, כן, אפשר, אני מאשר",
    settings: "הגדרות, העדפות, ניהול, נהל, מידע נוסף, למידע, התאמה אישית, אפשרויות",
    close: "סגור, סגירה, לסגור, סגרו, הסתר, דלג",
    later: "לא תודה, לא, לא עכשיו, אחר כך, מאוחר יותר, אולי אחר כך",
    offer: "ניוזלטר, הרשמה, הירשמו, הרשמו, האפליקציה, אפליקציה, הורדה, התראות, גיל, המדינה שלך, הנחה",
  },
  Persian: {
    cookie: "کوکی, کوکیها, کوکی ها, کوکی های, cookie*",
    privacy: "حریم خصوصی, رضایت, داده های شخصی, اطلاعات شخصی, ردیابی",
    context: "استفاده, سایت, وبسایت, وب سایت, تجربه, بهبود, شرکا, تحلیل, شخصی سازی, سیاست, تبلیغات, خدمات",
    reject:
      "رد, رد کردن, رد همه, نمیپذیرم, نمی پذیرم, نپذیرفتن, مخالفم, موافق نیستم, عدم پذیرش, بدون پذیرش, ادامه بدون **, قبول ندارم, قبول نمیکنم, نه ممنون",
    all: "همه, تمام",
    only: "فقط, تنها",
    needed: "ضروری, لازم, الزامی, اساسی",
    accept: "پذیرش, میپذیرم, می پذیرم, پذیرفتن, قبول, موافقم, تایید, باشه, متوجه شدم, بله, اجازه",
    settings: "تنظیمات, مدیریت, ترجیحات, بیشتر, سفارشی, گزینه ها, جزییات",
    close: "بستن, ببند, پنهان, رد شدن",
    later: "نه ممنون, نه, خیر, بعدا, الان نه",
    offer: "خبرنامه, اشتراک, عضویت, اپلیکیشن, دانلود, اعلان, سال, کشور, تخفیف",
  },
  Hindi: {
    cookie: "कुकी, कुकीज़, कुकीज, कूकी, cookie*",
    privacy: "गोपनीयता, सहमति, निजता, व्यक्तिगत डेटा, ट्रैकिंग",
    context: "उपयोग, इस्तेमाल, साइट, वेबसाइट, अनुभव, बेहतर, भागीदार, तृतीय पक्ष, विश्लेषण, नीति, विज्ञापन, सेवाएं, सेवाओं",
    reject:
      "अस्वीकार, अस्वीकृत, मना करें, सहमत नहीं, स्वीकार नहीं, अनुमति न दें, स्वीकार किए बिना, बिना स्वीकार, खारिज, इनकार, नहीं धन्यवाद",
    all: "सभी, सब",
    only: "केवल, सिर्फ, सिर्फ़, मात्र",
    needed: "आवश्यक, ज़रूरी, जरूरी, अनिवार्य",
    accept: "स्वीकार, सहमत, अनुमति दें, ठीक है, समझ गया, हां, हाँ, स्वीकृत",
    settings: "सेटिंग, सेटिंग्स, प्रबंधित, प्रबंधन, प्राथमिकताएं, और जानें, अधिक जानकारी, विकल्प",
    close: "बंद, बंद करें, छिपाएं, छोड़ें",
    later: "नहीं धन्यवाद, नहीं, अभी नहीं, बाद में, शायद बाद में",
    offer: "न्यूज़लेटर, सदस्यता, सब्सक्राइब, ऐप, डाउनलोड, सूचनाएं, वर्ष, आयु, देश, छूट",
  },
  Swedish: {
    cookie: "cookie*, kakor, kakorna",
    privacy: "integritet*, samtyck*, personuppgift*, dataskydd*, sparning",
    context:
      "anvand*, webbplats*, sajt*, upplevels*, forbattra, partner*, tredje part*, analy*, statistik*, anpass*, policy*, annons*, lagra*, tjanster",
    reject:
      "avvisa*, avboj*, neka*, avsla*, tacka nej, godkann inte, acceptera inte, godkanner inte, accepterar inte, tillat inte, utan att acceptera, utan att godkanna, utan samtycke, inga cookies, nej tack",
    all: "alla, allt",
    only: "endast, bara, enbart",
    needed: "nodvandig*, vasentlig*, kravda, obligatorisk*, tekniska, funktionella",
    accept: "acceptera*, godkann*, tillat*, jag forstar, forstatt, samtyck*, ja",
    settings: "installning*, anpassa, hantera, las mer, mer information, alternativ, val",
    close: "stang*, dolj, hoppa over",
    later: "nej tack, nej, inte nu, senare, kanske senare",
    offer: "nyhetsbrev*, prenumerera*, var app, appen, ladda ner, aviseringar, ar gammal, ditt land, rabatt",
  },
  Danish: {
    cookie: "cookie*",
    privacy: "privatliv*, samtykke*, persondata*, personoplysning*, databeskyttelse",
    context:
      "bruger, bruge, anvend*, hjemmeside*, websted*, site, oplevels*, forbedre, partner*, tredjepart*, analys*, statistik*, tilpas*, politik*, annonc*, gemme*, tjenester",
    reject:
      "afvis*, nægt*, frabed*, accepter ikke, tillad ikke, ikke acceptere, uden at acceptere, uden samtykke, ingen cookies, nej tak",
    all: "alle, alt",
    only: "kun, udelukkende",
    needed: "nødvendig*, essentiel*, påkrævede, tekniske, funktionelle",
    accept: "accepter*, godkend*, tillad*, forstået, samtykke*, ja",
    settings: "indstilling*, tilpas, administrer*, læs mere, vis detaljer, detaljer, vælg",
    close: "luk*, skjul, spring over",
    later: "nej tak, nej, ikke nu, senere, måske senere",
    offer: "nyhedsbrev*, tilmeld*, abonner*, vores app, hent, notifikationer, år gammel, dit land, rabat",
  },
  Norwegian: {
    cookie: "cookie*, informasjonskaps*",
    privacy: "personvern*, samtykke*, personopplysning*, sporing",
    context:
      "bruker, bruke, benytt*, nettsted*, nettside*, opplevels*, forbedre, partner*, tredjepart*, analys*, statistikk*, tilpass*, retningslinje*, annons*, lagre*, tjenester",
    reject:
      "avvis*, avslå*, nekt*, ikke godta, ikke aksepter, ikke tillat, godta ikke, uten å godta, uten å akseptere, uten samtykke, ingen informasjonskapsler, nei takk",
    all: "alle, alt",
    only: "kun, bare, utelukkende",
    needed: "nødvendig*, påkrevde, essensiell*, tekniske, funksjonelle",
    accept: "godta*, aksepter*, tillat*, forstått, samtykk*, jeg forstår, ja",
    settings: "innstilling*, tilpass, administrer*, les mer, vis detaljer, valg",
    close: "lukk*, skjul, hopp over",
    later: "nei takk, nei, ikke nå, senere, kanskje senere",
    offer: "nyhetsbrev*, meld deg, abonner*, appen vår, last ned, varsler, år gammel, ditt land, rabatt",
  },
  Finnish: {
    cookie: "evaste*, eväste*, cookie*",
    privacy: "tietosuoja*, yksityisyy*, suostumu*, henkilötie*",
    context:
      "kayta*, kaytt*, sivusto*, verkkosivu*, kokemu*, parantaa*, kumppan*, kolman*, analy*, tilasto*, personoi*, mainon*, mainos*, tallen*, palvelu*",
    reject:
      "hylkää*, kiella*, kiellä*, en hyväksy, älä hyväksy, älä salli, en suostu, kieltäydy*, jatka hyväksymättä, hyväksymättä, ilman suostumusta, ei kiitos",
    all: "kaikki, kaikkia, kaiken",
    only: "vain, ainoastaan",
    needed: "välttämättöm*, tarpeelli*, pakolli*, olennai*, tekniset, toiminnalli*",
    accept: "hyväksy*, salli*, selvä, ymmärrän, suostun, kyllä, ok",
    settings: "asetuks*, muokkaa, hallitse, hallinnoi, lue lisää, lisätietoja, valinnat, mukauta",
    close: "sulje*, piilota, ohita",
    later: "ei kiitos, ei, ei nyt, myöhemmin, ehkä myöhemmin",
    offer: "uutiskirj*, tilaa*, sovellu*, lataa, ilmoituks*, vuotta, maasi, alennu*",
  },
  Czech: {
    cookie: "cookie*, susenk*",
    privacy: "soukrom*, souhlas*, osobni udaje, osobnich udaju, gdpr",
    context:
      "pouziva*, vyuziva*, web*, stranek, stranky, stranka, zazit*, zlepsi*, partner*, tretich stran, analy*, statisti*, personaliz*, zasad*, reklam*, uklada*, sluzeb, sluzby",
    reject:
      "odmit*, zamit*, nesouhlas*, neprijm*, nepovolit, neakceptuj*, bez souhlasu, bez prijeti, zakazat vse, ne dekuji",
    all: "vse, vsechn*, vsech",
    only: "pouze, jen, jenom",
    needed: "nezbytn*, nutn*, povinn*, zakladni, technick*, funkcni, potrebn*",
    accept: "prijm*, souhlasim, povolit, akceptuj*, rozumim, ano, schvalit, prijimam, v poradku",
    settings: "nastaven*, upravit, spravovat, vice informaci, predvolby, podrobn*, moznosti",
    close: "zavrit, skryt, preskocit",
    later: "ne dekuji, ne, ted ne, pozdeji, mozna pozdeji",
    offer: "newsletter*, odber*, odebirat, nase aplikace, aplikaci, stahn*, oznameni, let, plnolet*, vase zeme, slev*",
  },
  Greek: {
    cookie: "cookie*, μπισκότ*",
    privacy: "απόρρητ*, απορρήτου, συγκατάθεσ*, συναίνεσ*, προσωπικ* δεδομέν*, ιδιωτικότητ*",
    context:
      "χρησιμοποι*, χρήση*, ιστότοπ*, ιστοσελίδ*, εμπειρία*, βελτί*, συνεργάτ*, τρίτ*, ανάλυσ*, στατιστικ*, πολιτικ*, διαφημίσ*, υπηρεσί*",
    reject:
      "απόρριψη*, απορρίπτω, απορρίψτε, άρνηση, αρνούμαι, αρνηθείτε, δεν αποδέχομαι, δεν συμφωνώ, δεν επιτρέπω, χωρίς αποδοχή, χωρίς συγκατάθεση, διαφωνώ, όχι ευχαριστώ",
    all: "όλα, όλων, όλες, όλους",
    only: "μόνο, αποκλειστικά",
    needed: "απαραίτητ*, αναγκαί*, υποχρεωτικ*, βασικ*, λειτουργικ*, απολύτως",
    accept: "αποδοχή*, αποδέχομαι, αποδεχθείτε, συμφωνώ, επιτρέπω, εντάξει, κατάλαβα, ναι, να επιτρέπονται",
    settings: "ρυθμίσ*, προτιμήσ*, διαχείρισ*, περισσότερα, επιλογ*, προσαρμογή",
    close: "κλείσιμο, κλείσε, κλείστε, απόκρυψη, παράλειψη",
    later: "όχι ευχαριστώ, όχι, όχι τώρα, αργότερα, ίσως αργότερα",
    offer: "newsletter*, εγγραφ*, εγγραφείτε, εφαρμογή*, κατεβάστε, ειδοποιήσ*, ετών, χώρα, έκπτωσ*",
  },
  Hungarian: {
    cookie: "cookie*, suti*",
    privacy: "adatvedel*, hozzajarul*, szemelyes adat*, maganszfer*, gdpr",
    context:
      "hasznal*, weboldal*, webhely*, oldal*, elmeny*, javit*, partner*, harmadik fel*, elemz*, statiszti*, szemelyre szab*, szabalyzat*, hirdet*, tarol*, szolgaltatas*",
    reject:
      "elutasit*, visszautasit*, megtagad*, nem fogadom el, nem elfogadom, nem egyezem bele, nem jarulok hozza, nem engedelyez*, elfogadas nelkul, hozzajarulas nelkul, koszonom nem, nem koszonom, letiltom, tiltas",
    all: "osszes*, mind, mindet, mindent, minden",
    only: "csak, kizarolag",
    needed: "szukseges*, feltetlenul, elengedhetetlen*, kotelezo*, alapveto*, mukodeshez, technikai",
    accept: "elfogad*, elfogadom, hozzajarul*, engedelyez*, rendben, ertem, igen, egyetertek, beleegyez*",
    settings: "beallitas*, kezeles*, testre*, tovabbi*, reszlet*, reszletek, lehetosegek",
    close: "bezar*, elrejt*, kihagy*",
    later: "nem koszonom, nem, most nem, kesobb, talan kesobb",
    offer: "hirlevel*, feliratkoz*, alkalmazas*, letolt*, ertesites*, eves, elmultam, orszag*, kedvezmeny*",
  },
  Romanian: {
    cookie: "cookie*, module cookie, modulele cookie",
    privacy: "confidentialit*, consimtamant*, date cu caracter personal, datele personale, gdpr",
    context:
      "folosi*, utiliz*, site*, experient*, imbunatat*, parteneri*, terti, terte, analiz*, statisti*, personaliz*, politica*, publicit*, stoc*, servicii*",
    reject:
      "respinge*, resping, refuz*, refuza*, nu accept, nu sunt de acord, nu permite, nu permit, fara acceptare, fara a accepta, fara consimtamant, declina*, blocheaza tot, nu multumesc",
    all: "toate, tot, toti",
    only: "doar, numai, exclusiv",
    needed: "necesare, necesar, esentiale, obligatorii, strict, tehnice, functionale, indispensabile",
    accept: "accept*, accepta*, sunt de acord, permite*, am inteles, da, inteleg, de acord",
    settings: "setari*, preferinte*, gestiona*, personaliza*, mai multe, afla mai, optiuni*, configur*",
    close: "inchide*, ascunde, omite, treci peste",
    later: "nu multumesc, nu, nu acum, mai tarziu, poate mai tarziu",
    offer: "newsletter*, aboneaza*, inscrie*, aplicatia, descarca*, notificari*, ani, varsta, tara ta, reducere",
  },
  Vietnamese: {
    cookie: "cookie*",
    privacy: "quyền riêng tư, riêng tư, bảo mật, đồng ý, dữ liệu cá nhân, theo dõi",
    context:
      "sử dụng, trang web, website, trải nghiệm, cải thiện, đối tác, bên thứ ba, phân tích, cá nhân hóa, chính sách, quảng cáo, lưu trữ, dịch vụ",
    reject:
      "từ chối, không đồng ý, không chấp nhận, không cho phép, không chấp thuận, tiếp tục mà không **, không cảm ơn",
    all: "tất cả, toàn bộ",
    only: "chỉ",
    needed: "cần thiết, thiết yếu, bắt buộc, cơ bản",
    accept: "chấp nhận, đồng ý, cho phép, đã hiểu, tôi hiểu, chấp thuận, có",
    settings: "cài đặt, tùy chỉnh, tuỳ chỉnh, quản lý, tìm hiểu thêm, tùy chọn, chi tiết, thiết lập",
    close: "đóng, ẩn, bỏ qua, thoát",
    later: "không cảm ơn, không, để sau, không phải bây giờ, lúc khác",
    offer: "bản tin, đăng ký, ứng dụng, tải xuống, tải về, thông báo, tuổi, quốc gia, giảm giá, ưu đãi",
  },
  Indonesian: {
    cookie: "cookie*, kuki",
    privacy: "privasi, persetujuan, data pribadi, pelacakan",
    context:
      "menggunakan, digunakan, gunakan, situs*, pengalaman, meningkatkan, mitra, pihak ketiga, analisis, statistik, personalisasi, kebijakan, iklan, menyimpan, layanan",
    reject:
      "tolak*, menolak, tidak setuju, tidak menerima, jangan izinkan, tidak mengizinkan, tanpa menerima, tanpa persetujuan, tidak terima kasih",
    all: "semua, seluruh*",
    only: "hanya, saja",
    needed: "diperlukan, perlu, penting, esensial, wajib, dibutuhkan",
    accept: "terima, setuju, menerima, izinkan, mengerti, ya, saya setuju, oke, baik",
    settings: "pengaturan, setelan, preferensi, kelola, pelajari, selengkapnya, opsi, sesuaikan, atur",
    close: "tutup, sembunyikan, lewati",
    later: "tidak terima kasih, tidak, jangan sekarang, nanti, nanti saja, lain kali",
    offer: "buletin, berlangganan, daftar, aplikasi, unduh, notifikasi, pemberitahuan, tahun, negara, diskon, promo",
  },
  Thai: {
    cookie: "คุกกี้, คุ้กกี้, cookie",
    privacy: "ความเป็นส่วนตัว, ความยินยอม, ยินยอม, ข้อมูลส่วนบุคคล, การติดตาม",
    context: "ใช้, เว็บไซต์, ไซต์, ประสบการณ์, ปรับปรุง, พันธมิตร, บุคคลที่สาม, วิเคราะห์, นโยบาย, โฆษณา, จัดเก็บ, บริการ",
    reject: "ปฏิเสธ, ไม่ยอมรับ, ไม่ยินยอม, ไม่อนุญาต, ไม่เห็นด้วย, ดำเนินการต่อโดยไม่, ไม่ขอบคุณ, ไม่เป็นไร",
    all: "ทั้งหมด, ทุก",
    only: "เท่านั้น, เฉพาะ, เพียง",
    needed: "จำเป็น, พื้นฐาน",
    accept: "ยอมรับ, ยินยอม, อนุญาต, ตกลง, เข้าใจ, ใช่, เห็นด้วย",
    settings: "ตั้งค่า, การตั้งค่า, จัดการ, เพิ่มเติม, รายละเอียด, ตัวเลือก, ปรับแต่ง",
    close: "ปิด, ซ่อน, ข้าม",
    later: "ไม่, ไม่ใช่ตอนนี้, ภายหลัง, ไว้ทีหลัง, ไม่เป็นไร, ไม่ขอบคุณ",
    offer: "จดหมายข่าว, สมัคร, ติดตามข่าว, แอป, ดาวน์โหลด, แจ้งเตือน, อายุ, ประเทศ, ส่วนลด, โปรโมชั่น",
  },
};

/** In labels that offer payment in place of consent, in all languages. */
export const paid =
  "subscri*, abonn*, abo, s'abonner, suscri*, assin*, pay, pays, paying, bezahl*, payer, pagar, pur, premium, buy";

/**
 * Words of gates, in all languages. `age` is in the question; a label that consists of words of `yes` confirms, one of
 * words of `no` denies, and one with a word of `leave` leads away.
 */
export const gate = {
  age: "years old, of age, your age, legal age, age verification, verify your age, drinking age, or older, over 18, over 21, adult content, adults only, jahre alt, volljahrig*, altersprufung, altersfreigabe, jugendschutz, majeur, majeure, mineur, mineurs, age legal, mayor de edad, mayores de edad, maior de idade, maiores de idade, maggiorenne, maggiorenni, jaar oud, jaar of ouder, pelnoletni*, совершеннолетн*, повнолітн*, 歳以上, 年齢, 岁, 年龄, 歲, 年齡, 세 이상, 나이, 성인, yasinda*, yasindan, 18 yas*, عمرك, سنك, הגיל, סן, आयु, उम्र, ar gammal, fyllt, år gammel, fylt, vuotias, taysi-ikainen, taysiikainen, plnolet*, ετών, ενήλικ*, eves, elmultam, varsta, tuổi, usia, umur, อายุ",
  yes: "yes, yeah, yep, i, i'm, am, i am, over, above, at least, or, and, older, years, year, old, of, age, legal, drinking, my, the, this, to, site, website, enter, confirm, continue, proceed, let me in, please, ja, ich, bin, uber, ab, jahre, jahren, alt, alter, mindestens, oder, volljahrig, eintreten, bestatigen, weiter, zur, seite, webseite, oui, j'ai, plus, de, ans, je, suis, majeur, majeure, entrer, confirmer, continuer, si, soy, tengo, mayor, mas, edad, anos, entrar, ingresar, acceder, confirmar, continuar, sim, tenho, sou, maior, mais, ou, idade, ho, piu, di, sono, maggiorenne, anni, entra, conferma, continua, accedi, ik, ben, jaar, of, ouder, dan, naar, betreden, bevestigen, doorgaan, tak, mam, ukonczone, ukonczylem, skonczone, lat, jestem, pelnoletni, pelnoletnia, wejdz, wchodze, potwierdzam, да, мне, есть, уже, исполнилось, больше, лет, войти, вход, подтверждаю, продолжить, так, мені, є, вже, виповнилося, більше, років, увійти, підтверджую, продовжити, はい, 歳以上, です, 入場する, 入場, 入る, 是的, 是, 我已满, 我已滿, 我已, 年满, 年滿, 满, 滿, 岁以上, 歲以上, 岁, 歲, 周岁, 進入, 进入, 确认, 確認, 예, 네, 세 이상, 입니다, 만, 입장, 확인, evet, yasindayim, yasindan, buyugum, giris, devam, et, نعم, عمري, فوق, اكثر, من, سنة, دخول, כן, אני, מעל, גיל, כניסה, بله, سال, دارم, ورود, हाँ, हां, मैं, वर्ष, से, अधिक, jag, ar, over, fyllt, ar gammal, fortsatt, jeg, er, år, fylt, fortsæt, fortsett, kylla, olen, yli, vuotta, vuotias, jatka, ano, je, mi, vice, nez, let, vstoupit, potvrdit, pokracovat, ναι, είμαι, άνω, των, ετών, είσοδος, igen, elmultam, eves, belepek, belepes, da, peste, ani, intra, confirm, có, đúng, tôi, trên, tuổi, đủ, vào, ya, saya, di atas, berusia, tahun, masuk, ใช่, ฉัน, อายุ, ปี, เข้าสู่เว็บไซต์",
  no: "no, nope, nein, non, nao, nee, nie, нет, ні, いいえ, 否, 不是, 不, 아니요, 아니오, hayir, لا, לא, نه, خیر, नहीं, nej, nei, ei, ne, όχι, nem, nu, không, tidak, ไม่, i, i'm, am, not, under, below, younger, ich, bin, unter, nicht, je, suis, moins, soy, menor, sou, jeg, jag, er, ar",
  leave:
    "exit*, leave*, get me out, take me away, verlassen, quitter, sortir, salir, sair, uscire, esci, verlaten, wyjdz, wyjscie, выйти, уйти, вийти, 退出, 退場, 離開, 离开, 나가기, cikis, خروج, יציאה, lamna, forlad, forlat, poistu, odejit, odchod, έξοδος, kilepes, iesi, thoát, keluar, ออก",
} as const;

/** Patterns for the names of elements: ids, classes, URLs of frames. They match whole parts of a name. */
export const names = {
  /** Overlays of any kind. */
  overlay:
    "pop-?up|pop-?over|modal|overlay|light-?box|interstitial|newsletter|subscri(?:be|ption)|sign-?up|opt-?in|app-?banner|smart-?banner|app-?promo|age-?(?:gate|check|verif\\w*)|pay-?wall|reg-?wall|meter|geo|region|country|locale-?(?:switch\\w*|select\\w*)|exit-?intent|push|web-?push|notification|one-?signal|promo|announcement|coupon|discount|survey|feedback",
  /** Age gates. */
  gate: "age-?(?:gate|check|verif\\w*|confirm\\w*|restrict\\w*)|adult-?(?:gate|check|warning)|over-?(?:18|21)",
  /** Chats. */
  chat: "chat|live-?chat|chat-?bot|intercom|drift|zendesk|zopim|crisp|tawk|tidio|olark|fresh-?chat|gorgias|messenger|hubspot-messages|whats-?app|help-?scout|user-?like|smartsupp|jivo|live-?agent|live-?person",
  /** Consent banners in frames of other origins, and banners that a script or list has hidden. */
  consent:
    "cookie[a-z]*|consents?|gdpr|ccpa|cmp|cmp-?box|privacy-?(?:mgmt|manager|notice|banner|center)|truste|onetrust|didomi|usercentrics|sp-?message|qc-cmp\\d?",
} as const;

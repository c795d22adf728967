// What pages say when something is wrong with them, in the languages of most pages: pure data.

/** Comma-separated phrases by language, without punctuation. `*` stands for the rest of a word, `**` for any words. */
type Phrases = Readonly<Record<string, string>>;

/** Something isn't there, has failed, or is refused. */
export const failure: Phrases = {
  English:
    "not found, cannot be found, could not be found, can't be found, couldn't be found, couldn't find, could not find, can't find ** page, cannot find ** page, doesn't exist, does not exist, no longer exists, no longer available, isn't available, is not available, page ** moved, page is missing, page missing, dead end, you're lost, looking for ** page, page you ** looking for, page you requested, something went wrong, something has gone wrong, something broke, went wrong, an error occurred, an error has occurred, error occurred, unexpected error, fatal error, critical error, server error, application error, service unavailable, temporarily unavailable, currently unavailable, unavailable for legal reasons, bad gateway, gateway timeout, gateway time out, bad request, access denied, access is denied, access to this ** denied, access restricted, forbidden, not authorized, unauthorized, permission denied, don't have permission, do not have permission, don't have access, do not have access, not allowed to access, request blocked, request was blocked, request ** rejected, you have been blocked, you were blocked, been blocked, too many requests, too many ** requests, rate limit exceeded, rate limited, slow down, account suspended, account has been suspended, site suspended, this account ** suspended, site can't be reached, website is offline, server is down, is down, web server is returning, connection timed out, host error, couldn't load, could not load, failed to load, can't load, unable to load, site blocked, blocked by ** court, blocked by ** provider, this site is blocked, connection ** failed, database connection, error establishing",
  German:
    "nicht gefunden, nicht auffindbar, existiert nicht, existiert leider nicht, gibt es nicht, nicht mehr verfugbar, nicht verfugbar, nicht erreichbar, etwas ist schiefgelaufen, etwas ging schief, ist schiefgegangen, etwas schiefgelaufen, fehler aufgetreten, unerwarteter fehler, ein fehler ist ** aufgetreten, schwerwiegender fehler, interner fehler, interner serverfehler, serverfehler, zugriff verweigert, zugriff nicht erlaubt, kein zugriff, keine berechtigung, keinen zugriff, zugang verweigert, zugriff gesperrt, anfrage ** blockiert, anfrage ** abgelehnt, wurde blockiert, wurden blockiert, zu viele anfragen, konto ** gesperrt, seite ** gesperrt, vorubergehend nicht, dienst nicht verfugbar, nicht geladen werden, konnte nicht gefunden werden, konnten ** nicht finden, ungultige anfrage, hoppla",
  French:
    "page introuvable, est introuvable, introuvable, pas ete trouvee, n'existe pas, n'existe plus, n'est plus disponible, n'est pas disponible, une erreur est survenue, une erreur s'est produite, erreur inattendue, quelque chose s'est mal passe, probleme est survenu, un probleme, erreur interne, erreur serveur, erreur du serveur, acces refuse, acces interdit, acces restreint, non autorise, pas l'autorisation, pas autorise, requete bloquee, requete ** rejetee, avez ete bloque, trop de requetes, compte suspendu, compte ** suspendu, temporairement indisponible, service indisponible, momentanement indisponible, mauvaise requete, impossible de charger, oups",
  Spanish:
    "no encontrada, no encontrado, no se encontro, no se encuentra, no se ha encontrado, no se pudo encontrar, no existe, ya no existe, no esta disponible, ya no esta disponible, algo salio mal, algo ha salido mal, algo fue mal, ha ocurrido un error, ocurrio un error, se ha producido un error, se produjo un error, error inesperado, error interno, error del servidor, acceso denegado, acceso prohibido, acceso restringido, no autorizado, no tienes permiso, no tiene permiso, solicitud bloqueada, has sido bloqueado, ha sido bloqueado, demasiadas solicitudes, demasiadas peticiones, cuenta suspendida, servicio no disponible, temporalmente no disponible, no se pudo cargar, no se ha podido cargar, no hemos podido encontrar, vaya",
  Portuguese:
    "nao encontrada, nao encontrado, nao foi encontrada, nao foi encontrado, nao existe, ja nao existe, nao esta disponivel, nao esta mais disponivel, algo deu errado, algo correu mal, ocorreu um erro, erro inesperado, erro interno, erro do servidor, erro no servidor, acesso negado, acesso proibido, acesso restrito, nao autorizado, nao tem permissao, voce nao tem permissao, solicitacao bloqueada, foi bloqueado, muitas solicitacoes, demasiados pedidos, muitas requisicoes, conta suspensa, servico indisponivel, temporariamente indisponivel, nao foi possivel carregar, nao conseguimos encontrar, nao foi possivel encontrar",
  Italian:
    "non trovata, non trovato, non e stata trovata, non esiste, non e disponibile, non e piu disponibile, qualcosa e andato storto, si e verificato un errore, errore imprevisto, errore interno, errore del server, accesso negato, accesso vietato, non autorizzato, non hai i permessi, richiesta bloccata, sei stato bloccato, troppe richieste, account sospeso, servizio non disponibile, temporaneamente non disponibile",
  Dutch:
    "niet gevonden, kon niet worden gevonden, bestaat niet, bestaat niet meer, niet beschikbaar, er is iets misgegaan, er ging iets mis, iets ging mis, er is een fout opgetreden, onverwachte fout, interne fout, serverfout, toegang geweigerd, geen toegang, niet toegestaan, geen toestemming, verzoek geblokkeerd, bent geblokkeerd, te veel verzoeken, account opgeschort, tijdelijk niet beschikbaar",
  Polish:
    "nie znaleziono, nie istnieje, nie zostala znaleziona, niedostepna, niedostepny, cos poszlo nie tak, wystapil blad, nieoczekiwany blad, blad serwera, odmowa dostepu, brak dostepu, dostep zabroniony, brak uprawnien, zbyt wiele zapytan, zbyt wiele zadan, konto zawieszone, chwilowo niedostepna",
  Russian:
    "не найдена, не найден, не найдено, не существует, больше не существует, недоступна, недоступен, недоступно, что то пошло не так, произошла ошибка, непредвиденная ошибка, внутренняя ошибка, ошибка сервера, доступ запрещен, доступ запрещён, доступ ограничен, нет доступа, нет прав, запрос заблокирован, вы заблокированы, слишком много запросов, аккаунт заблокирован",
  Turkish:
    "bulunamadi, mevcut degil, bir seyler ters gitti, bir hata olustu, beklenmeyen hata, sunucu hatasi, erisim engellendi, erisim reddedildi, yetkiniz yok, cok fazla istek",
  Japanese:
    "見つかりません, 見つかりませんでした, 存在しません, 存在しないか, ページがありません, お探しのページ, 問題が発生しました, エラーが発生しました, 予期しないエラー, サーバーエラー, サーバエラー, アクセスが拒否されました, アクセスできません, アクセス権がありません, アクセスが制限, 権限がありません, 閲覧できません, 利用できません, ご利用いただけません, ブロックされました, 遮断, リクエストが多すぎます, アクセスが集中, 一時停止, 停止されています, 表示できません, 読み込めませんでした",
  Chinese:
    "页面不存在, 找不到, 未找到, 不存在, 无法找到, 出错了, 出了点问题, 发生错误, 服务器错误, 内部错误, 访问被拒绝, 拒绝访问, 没有权限, 无权访问, 禁止访问, 请求过多, 请求被拦截, 暂时无法访问, 服务不可用, 頁面不存在, 找不到頁面, 發生錯誤, 伺服器錯誤, 拒絕存取, 沒有權限, 已被停用, 已被封禁",
  Korean:
    "찾을 수 없습니다, 존재하지 않습니다, 존재하지 않는, 문제가 발생했습니다, 오류가 발생했습니다, 서버 오류, 접근이 거부, 접근 권한이 없습니다, 권한이 없습니다, 차단되었습니다, 요청이 너무 많습니다, 이용할 수 없습니다",
  Arabic:
    "غير موجودة, غير موجود, لم يتم العثور, لا يمكن العثور, حدث خطأ, حدث خطا, خطأ غير متوقع, خطأ في الخادم, تم رفض الوصول, الوصول مرفوض, غير مصرح, ليس لديك إذن, تم حظر, طلبات كثيرة, غير متاحة, غير متاح",
};

/** The page can't be used with this browser, from this country, or for now. */
export const unavailable: Phrases = {
  English:
    "update your browser, upgrade your browser, upgrade to a modern browser, browser is not supported, browser isn't supported, browser not supported, browser is no longer supported, unsupported browser, browser ** out of date, outdated browser, browser ** outdated, switch to a supported browser, use a modern browser, enable javascript, turn on javascript, javascript is disabled, javascript is required, requires javascript, javascript to run, under maintenance, down for maintenance, undergoing maintenance, scheduled maintenance, maintenance mode, performing maintenance, planned maintenance, back soon, be right back, back shortly, be back online, not available in your country, not available in your region, not available in your location, unavailable in your country, unavailable in your region, not accessible from your, isn't available in your",
  German:
    "aktualisieren sie ihren browser, browser aktualisieren, browser wird nicht unterstutzt, browser wird nicht mehr unterstutzt, browser ist veraltet, veralteter browser, nicht unterstutzter browser, aktivieren sie javascript, javascript aktivieren, javascript ist deaktiviert, javascript ** aktiviert, wartungsarbeiten, wartungsmodus, wird ** gewartet, in wartung, gleich wieder da, bald wieder da, bald zuruck, in ihrem land nicht verfugbar, in ihrer region nicht verfugbar, in deinem land nicht",
  French:
    "mettez a jour votre navigateur, mettre a jour votre navigateur, navigateur n'est pas pris en charge, navigateur n'est plus pris en charge, navigateur non pris en charge, navigateur obsolete, navigateur ** obsolete, activez javascript, activer javascript, javascript est desactive, en maintenance, maintenance en cours, maintenance programmee, de retour bientot, revenons bientot, de retour dans, pas disponible dans votre pays, pas disponible dans votre region, indisponible dans votre",
  Spanish:
    "actualiza tu navegador, actualice su navegador, navegador no es compatible, navegador no compatible, navegador ** obsoleto, navegador desactualizado, activa javascript, habilita javascript, habilite javascript, javascript esta desactivado, en mantenimiento, tareas de mantenimiento, mantenimiento programado, volvemos pronto, volveremos pronto, estaremos de vuelta, no esta disponible en tu pais, no esta disponible en su pais, no disponible en tu region",
  Portuguese:
    "atualize seu navegador, atualize o seu navegador, navegador nao e compativel, navegador nao compativel, navegador nao e suportado, navegador nao suportado, navegador ** desatualizado, ative o javascript, habilite o javascript, javascript esta desativado, em manutencao, manutencao programada, manutencao em andamento, voltamos ja, voltaremos em breve, nao esta disponivel no seu pais, nao disponivel na sua regiao, indisponivel no seu pais",
  Italian:
    "aggiorna il tuo browser, browser non supportato, browser non e supportato, browser obsoleto, abilita javascript, attiva javascript, in manutenzione, torniamo presto, torneremo presto, non disponibile nel tuo paese",
  Dutch:
    "werk je browser bij, update je browser, browser wordt niet ondersteund, verouderde browser, schakel javascript in, onderhoud, zijn zo terug, niet beschikbaar in jouw land, niet beschikbaar in uw land",
  Polish:
    "zaktualizuj przegladarke, przegladarka nie jest obslugiwana, wlacz javascript, prace konserwacyjne, przerwa techniczna, trwaja prace, niedostepne w twoim kraju",
  Russian:
    "обновите браузер, обновите ваш браузер, браузер не поддерживается, браузер устарел, включите javascript, технические работы, техническое обслуживание, скоро вернемся, скоро вернёмся, недоступен в вашей стране, недоступна в вашем регионе",
  Japanese:
    "ブラウザを更新, ブラウザを最新, ブラウザはサポートされていません, サポートされていないブラウザ, 対応していないブラウザ, ブラウザには対応していません, ブラウザは対応していません, javascriptを有効, javascriptが無効, メンテナンス中, メンテナンスを実施, しばらくお待ちください, お住まいの国, お住まいの地域では",
  Chinese:
    "更新您的浏览器, 升级您的浏览器, 浏览器版本过低, 不支持您的浏览器, 浏览器不受支持, 启用javascript, 维护中, 系统维护, 正在维护, 稍后再试, 您所在的地区, 您所在的国家, 系統維護, 瀏覽器不支援",
  Korean:
    "브라우저를 업데이트, 지원되지 않는 브라우저, 점검 중, 시스템 점검, 서비스 점검, 자바스크립트를 활성화, 해당 국가에서는",
  Arabic:
    "تحديث المتصفح, المتصفح غير مدعوم, قيد الصيانة, تحت الصيانة, تفعيل جافا سكريبت, غير متاح في بلدك, غير متاحة في بلدك",
};

/** The domain has no site. */
export const parked: Phrases = {
  English:
    "domain is for sale, domain for sale, domain name is for sale, domain may be for sale, domain ** for sale, buy this domain, purchase this domain, make an offer on this domain, inquire about this domain, get this domain, domain is parked, parked domain, parked free, domain parking, domain has expired, domain expired, domain has been registered, domain is registered, domain ** just registered, future home of, related searches, this domain was",
  German:
    "domain steht zum verkauf, domain zu verkaufen, domain kaufen, diese domain ** verkauf*, domain ist geparkt, domain wurde registriert, domain ist registriert, hier entsteht",
  French:
    "nom de domaine est a vendre, domaine est a vendre, domaine a vendre, acheter ce domaine, acheter ce nom de domaine, domaine ** expire, domaine est parque, domaine est reserve",
  Spanish:
    "dominio esta en venta, dominio en venta, comprar este dominio, compra este dominio, dominio ** expirado, dominio aparcado, dominio ** registrado",
  Portuguese:
    "dominio esta a venda, dominio a venda, comprar este dominio, compre este dominio, dominio ** expirou, dominio estacionado, dominio ** registrado",
  Italian: "dominio e in vendita, dominio in vendita, acquista questo dominio, dominio scaduto",
  Dutch: "domein is te koop, domeinnaam is te koop, domeinnaam te koop, koop dit domein",
  Polish: "domena jest na sprzedaz, domena na sprzedaz, kup te domene",
  Russian: "домен продается, домен продаётся, купить домен, домен припаркован",
  Japanese:
    "ドメインは販売中, ドメイン販売, このドメインを購入, ドメインの有効期限, ドメインは期限切れ, お名前 com で取得",
  Chinese: "域名出售, 域名正在出售, 购买此域名, 域名已过期, 此域名",
};

/** Apologies, which mean nothing alone. */
export const apology: Phrases = {
  all: "oops, whoops, uh oh, oh no, sorry, we're sorry, we are sorry, ups, hoppla, oups, vaya, lo sentimos, desole, nous sommes desoles, tut uns leid, entschuldigung, desculpe, pedimos desculpa, ops, scusa, sorry we, przepraszamy, извините, 申し訳, 申し訳ございません, 抱歉, 죄송합니다, عذرا",
};

/** Controls of error pages. */
export const wayBack: Phrases = {
  all: "home, homepage, home page, go back, back to **, return to **, go to **, take me **, try again, retry, reload, refresh, contact support, zur startseite, startseite, zuruck*, erneut versuchen, nochmal versuchen, neu laden, accueil, retour*, revenir*, reessayer, recharger, inicio, volver*, ir al inicio, intentar de nuevo, reintentar, recargar, pagina inicial, voltar*, tentar novamente, recarregar, torna*, riprova, terug*, opnieuw proberen, powrot, strona glowna, sprobuj ponownie, на главную, вернуться, попробовать снова, ホームに戻る, トップページ, トップへ, 戻る, 再読み込み, もう一度, 再試行, 返回, 首页, 重试, 홈으로, 다시 시도, الصفحة الرئيسية, العودة, حاول مرة أخرى",
};

/** The page asks to sign in or to sign up. */
export const signIn: Phrases = {
  English:
    "sign in, signin, log in, login, log on, sign on, sign up, signup, register, create an account, create account, create your account, create your free account, join now, join for free, welcome back, forgot password, forgot your password, reset password, magic link, single sign on, continue with email, get started for free, verify your identity, enter your email, enter your password, choose an account",
  German:
    "anmelden, anmeldung, einloggen, login, log in, melde dich an, melden sie sich an, registrieren, registriere dich, registrierung, konto erstellen, kostenlos registrieren, willkommen zuruck, passwort vergessen, kennwort vergessen, konto anlegen",
  French:
    "se connecter, connectez vous, connexion, connecte toi, identifiez vous, identification, s'inscrire, inscrivez vous, inscription, creer un compte, creez votre compte, creez un compte, mot de passe oublie, bon retour, bienvenue",
  Spanish:
    "iniciar sesion, inicia sesion, inicie sesion, inicio de sesion, acceder, accede, ingresar, ingresa, entrar, registrarse, registrate, registrese, regístrate, crear cuenta, crea tu cuenta, crear una cuenta, crea una cuenta, has olvidado tu contrasena, olvidaste tu contrasena, olvido su contrasena, bienvenido de nuevo",
  Portuguese:
    "entrar, iniciar sessao, inicie sessao, fazer login, faca login, faca o login, acessar, acesse sua conta, aceder, cadastre se, cadastrar se, criar conta, crie sua conta, criar uma conta, crie a sua conta, registe se, registar, registrar, esqueceu a senha, esqueci minha senha, esqueceu sua senha, esqueceu se da palavra passe, bem vindo de volta",
  Italian: "accedi, accesso, login, registrati, crea un account, password dimenticata, bentornato",
  Dutch:
    "inloggen, aanmelden, log in, registreren, account aanmaken, maak een account, wachtwoord vergeten, welkom terug",
  Polish:
    "zaloguj sie, zaloguj, logowanie, zarejestruj sie, rejestracja, utworz konto, zapomniales hasla, nie pamietasz hasla, witaj ponownie",
  Russian:
    "войти, вход, войдите, авторизация, регистрация, зарегистрироваться, зарегистрируйтесь, создать аккаунт, забыли пароль, с возвращением",
  Turkish: "giris yap, oturum ac, kayit ol, uye ol, hesap olustur, sifremi unuttum, tekrar hos geldiniz",
  Japanese:
    "ログイン, サインイン, ログインしてください, 新規登録, 会員登録, アカウント作成, アカウントを作成, パスワードをお忘れ, パスワードを忘れた, おかえりなさい, 無料登録",
  Chinese: "登录, 登陆, 登入, 注册, 註冊, 创建账户, 创建帐户, 忘记密码, 忘記密碼, 欢迎回来, 建立帳戶",
  Korean: "로그인, 회원가입, 가입하기, 계정 만들기, 비밀번호를 잊으셨나요, 비밀번호 찾기, 다시 오신 것을 환영합니다",
  Arabic: "تسجيل الدخول, سجل الدخول, إنشاء حساب, انشاء حساب, نسيت كلمة المرور, مرحبا بعودتك, سجل الآن",
};

/** The content is for those who sign in or pay. */
export const paywall: Phrases = {
  English:
    "to continue reading, continue reading this, keep reading, to read the full, read the full article, read the full story, to read this, to unlock, unlock this, unlock the, unlock full, subscribe to read, subscribe to continue, subscribe to keep, subscribe now to, subscribers only, subscriber only, subscriber exclusive, for subscribers, exclusive to subscribers, for members, members only, member only, exclusively for, sign in to continue, sign in to view, sign in to read, sign in to see, log in to continue, log in to view, log in to read, log in to see, login to continue, sign up to continue, sign up to view, sign up to see, sign up to read, register to continue, register to read, create ** account to, free account to continue, you've reached your limit, reached your ** limit, free articles, articles left, last free article, remaining article, already a subscriber, already a member, premium content, premium article, this content is locked, content is for, story is for, article is for, post is for, rest of this ** is",
  German:
    "um weiterzulesen, weiterlesen mit, jetzt weiterlesen, zum weiterlesen, weiter lesen, nur fur abonnenten, fur abonnenten, nur fur mitglieder, exklusiv fur, abonnieren sie, jetzt abonnieren, abonnieren und weiterlesen, melden sie sich an um, melde dich an um, registrieren sie sich um, registriere dich um, bereits abonnent, sie haben bereits ein abo, schon abonnent, schon mitglied, dieser artikel ist ** abonnenten, kostenpflichtig*, diesen artikel ** lesen, gratisartikel, freien artikel, plus artikel, ganzen artikel, vollstandigen artikel, abo testen, jetzt freischalten, inhalt freischalten",
  French:
    "pour lire la suite, pour continuer la lecture, pour continuer a lire, continuer la lecture, lire la suite de, lire l'integralite, reserve aux abonnes, reserve a nos abonnes, article reserve, contenu reserve, reservee aux membres, reserve aux membres, abonnez vous pour, connectez vous pour, inscrivez vous pour, creez un compte pour, deja abonne, deja membre, articles gratuits, article gratuit, debloquer*",
  Spanish:
    "para seguir leyendo, para continuar leyendo, continuar leyendo, sigue leyendo, seguir leyendo, para leer ** articulo, solo para suscriptores, exclusivo para suscriptores, para suscriptores, solo para miembros, exclusivo para miembros, suscribete para, suscribase para, inicia sesion para, inicie sesion para, registrate para, crea una cuenta para, ya eres suscriptor, ya es suscriptor, ya estas suscrito, articulos gratis, articulos gratuitos, desbloquea*",
  Portuguese:
    "para continuar lendo, para continuar a ler, continue lendo, continuar a ler, continuar lendo, para ler ** completo, exclusivo para assinantes, somente para assinantes, so para assinantes, para assinantes, exclusivo para membros, assine para, entre para, faca login para, inicie sessao para, cadastre se para, crie uma conta para, registe se para, ja e assinante, ja sou assinante, artigos gratuitos, materias gratuitas, desbloquei*, desbloqueie",
  Italian:
    "per continuare a leggere, continua a leggere, riservato agli abbonati, per gli abbonati, abbonati per, accedi per, registrati per, sei gia abbonato, articoli gratuiti",
  Dutch:
    "om verder te lezen, verder lezen, lees verder met, alleen voor abonnees, voor abonnees, abonneer, log in om, al abonnee, gratis artikelen",
  Polish:
    "aby czytac dalej, czytaj dalej, tylko dla subskrybentow, dla prenumeratorow, zaloguj sie aby, masz juz konto, masz juz subskrypcje, kup dostep",
  Russian:
    "чтобы продолжить чтение, читать дальше, только для подписчиков, для подписчиков, оформите подписку, войдите чтобы, зарегистрируйтесь чтобы, уже подписаны",
  Japanese:
    "続きを読む, 続きを読むには, 続きをお読み, 続きは, 会員限定, 有料会員, 会員の方, 登録すると, ログインして続き, 購読して, 購読者限定, 残り, 無料会員登録, 有料記事, この記事は",
  Chinese:
    "继续阅读, 阅读全文, 仅限会员, 会员专享, 仅限订阅, 订阅后, 登录后, 登录以, 剩余内容, 解锁全文, 繼續閱讀, 會員專屬, 訂閱",
  Korean: "계속 읽으려면, 계속 읽기, 구독자 전용, 회원 전용, 로그인 후, 구독하고, 유료 기사",
  Arabic: "لمتابعة القراءة, للاستمرار في القراءة, للمشتركين فقط, اشترك ل, سجل الدخول ل",
};

/** Something loads, or the visitor is asked to wait. A text that consists of one of them, and at most some words more. */
export const loading: Phrases = {
  English:
    "loading, please wait, just a moment, one moment, hang tight, fetching, preparing, getting things ready, almost there, initializing, initialising, starting up, connecting, processing, warming up, still loading, buffering, hold on, stand by",
  German:
    "ladt, laden, wird geladen, werden geladen, ladevorgang, lade, bitte warten, einen moment, einen augenblick, moment bitte, wird vorbereitet, gleich geht es los, wird initialisiert",
  French:
    "chargement, chargement en cours, en cours de chargement, veuillez patienter, patientez, merci de patienter, un instant, un moment, preparation, recuperation, initialisation",
  Spanish:
    "cargando, espere, espera, por favor espera, por favor espere, un momento, un segundo, preparando, obteniendo, iniciando",
  Portuguese:
    "carregando, a carregar, aguarde, por favor aguarde, um momento, so um momento, preparando, a preparar, buscando, iniciando",
  Italian: "caricamento, caricamento in corso, attendere, attendi, un momento, un attimo",
  Dutch: "laden, bezig met laden, wordt geladen, even geduld, een moment, moment geduld",
  Polish: "ladowanie, wczytywanie, prosze czekac, chwileczke, trwa ladowanie",
  Russian:
    "загрузка, идет загрузка, идёт загрузка, загружается, загружаем, подождите, пожалуйста подождите, один момент",
  Turkish: "yukleniyor, lutfen bekleyin, bir dakika",
  Japanese:
    "読み込み中, 読込中, ロード中, ローディング, お待ちください, 少々お待ち, しばらくお待ち, 準備中, 取得中, 起動中",
  Chinese: "加载中, 正在加载, 载入中, 请稍候, 请稍等, 请等待, 載入中, 請稍候, 讀取中, 努力加载",
  Korean: "로딩 중, 로드 중, 불러오는 중, 잠시만 기다려, 기다려 주세요, 로딩중",
  Arabic: "جار التحميل, جاري التحميل, يرجى الانتظار, لحظة, انتظر من فضلك",
};

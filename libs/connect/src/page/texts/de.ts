import type { Texts } from './en.js';
import { SERVICE } from './service.js';

/** The texts of the hosted page in German. */
export const de: Texts = {
  language: 'de',
  layout: {
    title: (heading) => `${heading} · ${SERVICE}`,
    skip: 'Zum Inhalt springen',
    between: (project, exchange) => `${project} und ${exchange}`,
    keptAs: (wallet) => `Name dieses Kontos in der Anwendung: „${wallet}“.`,
    testMode: 'Testmodus: kein echtes Geld',
    cancel: 'Abbrechen',
    cancelAndReturn: (project) => `Abbrechen und zurück zu ${project}`,
    expires: (time) => `Diese Seite ist bis ${time} gültig.`,
    footer: `${SERVICE} verbindet Konten bei Kryptobörsen mit Anwendungen und bewahrt die Schlüssel der Konten verschlüsselt auf.`,
    errorCode: 'Code für den Support:',
  },
  choose: {
    heading: (exchange) => `Ihr Konto bei ${exchange} verbinden`,
    lead: (project, exchange) => `${project} möchte Ihr Konto bei ${exchange} verwenden.`,
    methodsHeading: 'Wie möchten Sie es verbinden?',
    oauth: (exchange) => `Bei ${exchange} anmelden`,
    oauthHint: (exchange) => `Sie melden sich bei ${exchange} an und stimmen dort zu oder lehnen ab.`,
    qr: (exchange) => `Einen Code mit der App von ${exchange} scannen`,
    qrHint: 'Wenn Sie die App auf Ihrem Smartphone haben und dort angemeldet sind.',
    key: 'Einen API-Schlüssel einfügen',
    keyHint: (exchange) =>
      `Wenn Sie bei ${exchange} einen Schlüssel erstellt haben oder selbst festlegen möchten, was er darf.`,
    another: 'Eine andere Börse wählen',
    authorizing: (exchange) =>
      `Sie sind bei ${exchange} noch nicht fertig. Wenn die Seite dort noch offen ist, machen Sie dort weiter; sonst beginnen Sie hier neu.`,
    unavailable: (exchange) =>
      `Ein Konto bei ${exchange} lässt sich zurzeit nicht verbinden. Bitte versuchen Sie es später.`,
  },
  pick: {
    heading: 'Börse wählen',
    lead: (project) => `${project} möchte eines Ihrer Konten verwenden. Bei welcher Börse ist es?`,
    search: 'Suchen',
    noMatch: 'In dieser Liste gibt es keine Börse mit diesem Namen.',
    none: 'Zurzeit lässt sich keine Börse verbinden. Bitte versuchen Sie es später.',
  },
  access: {
    heading: (project) => `Worum ${project} bittet`,
    kinds: {
      read: 'Ihre Guthaben und Ihre Transaktionen sehen',
      deposit: 'Einzahlungsadressen sehen und anlegen',
      trade: 'Für Sie kaufen und verkaufen',
      withdrawal: 'Ihr Geld an andere Adressen senden',
    },
    short: {
      read: 'Guthaben und Transaktionen sehen',
      deposit: 'Einzahlungsadressen sehen und anlegen',
      trade: 'kaufen und verkaufen',
      withdrawal: 'Geld auszahlen',
    },
    withdrawalBadge: 'bewegt Geld',
  },
  promises: {
    heading: 'Gut zu wissen',
    password: (project, exchange) =>
      `Weder ${project} noch ${SERVICE} sieht je Ihr Passwort bei ${exchange}. Geben Sie es nie auf dieser Seite ein.`,
    withdraws: (project, exchange) =>
      `${project} kann dann Auszahlungen veranlassen. Die Limits, Adresslisten und Codes von ${exchange} gelten weiterhin für jede Auszahlung.`,
    withdrawsNothing: (project) =>
      `${project} bittet nicht um die Erlaubnis für Auszahlungen und kann Ihr Geld nirgendwohin senden.`,
    withdrawsNothingByKey: (project) =>
      `${project} bittet nicht um die Erlaubnis für Auszahlungen. Wenn Sie einen Schlüssel einfügen, erstellen Sie einen, der keine Auszahlungen erlaubt.`,
    revoke: (project, exchange) =>
      `Sie können dies jederzeit beenden: Entfernen Sie in den Einstellungen bei ${exchange} den Zugriff von ${project}, oder löschen Sie den API-Schlüssel.`,
  },
  phone: {
    summary: 'Auf dem Smartphone weitermachen',
    hint: 'Scannen Sie diesen Code mit der Kamera Ihres Smartphones. Die Seite öffnet sich dort, und diese hier zeigt den Stand an.',
    image: 'QR-Code mit der Adresse dieser Seite',
  },
  key: {
    heading: (exchange) => `${exchange} mit einem API-Schlüssel verbinden`,
    lead: (project, exchange) =>
      `Erstellen Sie bei ${exchange} einen Schlüssel, der darf, worum ${project} bittet, und fügen Sie ihn hier ein.`,
    leadTest: (project) => `Fügen Sie den Schlüssel eines Testkontos ein, der darf, worum ${project} bittet.`,
    stepMake: (exchange) => `Erstellen Sie den Schlüssel bei ${exchange}`,
    stepMakeTest: 'Nehmen Sie den Schlüssel eines Testkontos',
    test: (exchange) =>
      `Dies ist ein Test. Verwenden Sie den Schlüssel eines Kontos an der Sandbox-Börse, nie den eines echten Kontos bei ${exchange}.`,
    open: (exchange) => `Die Seite für API-Schlüssel bei ${exchange} öffnen`,
    newTab: '(öffnet sich in einem neuen Tab)',
    stepTick: 'Erlauben Sie dem Schlüssel dies und sonst nichts',
    tickGeneric: 'Erlauben Sie dem Schlüssel dies und sonst nichts:',
    defaults: {
      second_factor:
        'Lassen Sie die Zwei-Faktor-Authentifizierung des Schlüssels ausgeschaltet. Dieser Dienst verwendet den Schlüssel ohne Sie.',
      nonce_window:
        'Lassen Sie das Nonce-Fenster auf 0. Mit einem größeren Fenster könnte ein Auftrag oder eine Auszahlung zweimal ausgeführt werden.',
      time_based_nonce:
        'Lassen Sie „Uses a time based nonce“ ausgeschaltet. Mit solchen Nonces kann dieser Dienst den Schlüssel nicht verwenden.',
    },
    stepAddresses: 'Erlauben Sie diese Adressen',
    stepNoAddresses: 'Schränken Sie die IP-Adressen nicht ein',
    addresses: (exchange) =>
      `Wenn ${exchange} fragt, von welchen IP-Adressen der Schlüssel verwendet werden darf, tragen Sie diese ein. Dann kann ihn sonst niemand verwenden.`,
    noAddresses: (exchange) =>
      `Dieser Dienst hat keine festen Adressen. Lassen Sie die Liste der IP-Adressen bei ${exchange} leer.`,
    copy: 'Kopieren',
    copyOne: (address) => `${address} kopieren`,
    copyAll: 'Alle kopieren',
    copied: 'Kopiert.',
    notCopied: 'Ihr Browser hat nicht kopiert. Markieren Sie den Text und kopieren Sie ihn selbst.',
    stepPaste: 'Fügen Sie den Schlüssel ein',
    fields: {
      apiKey: 'API-Schlüssel',
      apiSecret: 'Geheimer Schlüssel',
      apiPassphrase: 'Passphrase des Schlüssels',
      apiUid: 'Benutzer-ID',
      apiRegion: 'Website Ihres Kontos',
    },
    pemHint: 'Alle Zeilen, von BEGIN bis END.',
    missing: (label) => `${label}: Bitte füllen Sie dieses Feld aus.`,
    malformed: (label) => `${label}: Der Wert ist unvollständig oder enthält etwas, das nicht hineingehört.`,
    refused: (label, exchange) =>
      `${label}: ${exchange} nimmt diesen Wert nicht an. Kopieren Sie ihn noch einmal, oder erstellen Sie einen neuen Schlüssel.`,
    neverShown:
      'Was Sie einfügen, wird nur über diese Verbindung gesendet, verschlüsselt aufbewahrt und nie wieder angezeigt.',
    submit: 'Verbinden',
    checking: (exchange) => `Der Schlüssel wird bei ${exchange} geprüft …`,
    back: 'Einen anderen Weg wählen',
  },
  warning: {
    heading: 'Bitte sehen Sie sich diesen Schlüssel noch einmal an',
    tooMuch: (project, exchange) =>
      `Dieser Schlüssel darf mehr, als ${project} braucht. Wer ihn hat, könnte das ausnutzen. Erstellen Sie bei ${exchange} besser einen anderen.`,
    tooMuchList: 'Er darf außerdem:',
    unknown: 'Etwas anderes, das dieser Dienst nicht kennt:',
    tooLittle: (project) => `Dieser Schlüssel darf weniger, als ${project} braucht. Manches wird nicht funktionieren.`,
    tooLittleList: 'Er darf nicht:',
    unsafe: (exchange) =>
      `Mit diesem Schlüssel zahlt dieser Dienst nichts aus und erteilt keine Aufträge, bis Sie diese Einstellung des Schlüssels bei ${exchange} ändern:`,
    withdrawal: (project) =>
      `Mit diesem Schlüssel kann Geld von Ihrem Konto ausgezahlt werden. ${project} braucht das nicht.`,
    permissions: (exchange) => `Angaben von ${exchange} zu diesem Schlüssel`,
    discard: 'Einen anderen Schlüssel verwenden',
    confirm: 'Trotzdem mit diesem Schlüssel verbinden',
  },
  qr: {
    heading: (exchange) => `Mit der App von ${exchange} scannen`,
    lead: (exchange) =>
      `Öffnen Sie die App von ${exchange} auf Ihrem Smartphone, scannen Sie diesen Code, und bestätigen Sie dort.`,
    image: (exchange) => `QR-Code für die App von ${exchange}`,
    onThisDevice: (exchange) => `Die App von ${exchange} auf diesem Gerät öffnen`,
    status: {
      waiting: 'Bitte scannen Sie den Code.',
      scanned: 'Gescannt. Bestätigen Sie nun in der App.',
      expired: 'Dieser Code ist abgelaufen. Gleich kommt ein neuer.',
    },
    expires: (time) => `Der Code gilt bis ${time}.`,
    another: 'Einen anderen Weg wählen',
  },
  leaving: {
    heading: (exchange) => `Weiter zu ${exchange}`,
    lead: (project, exchange) =>
      `Melden Sie sich bei ${exchange} an, und entscheiden Sie dort, was ${project} darf. Danach kommen Sie hierher zurück.`,
    go: (exchange) => `Weiter zu ${exchange}`,
    check: (host) => `Ihr Browser zeigt dann ${host} als Adresse.`,
  },
  connecting: { heading: 'Einen Moment bitte', lead: (exchange) => `Ihr Konto bei ${exchange} wird verbunden.` },
  outcome: {
    connectedHeading: (exchange) => `Ihr Konto bei ${exchange} ist verbunden`,
    connectedLead: (project) => `${project} kann es ab jetzt für das verwenden, worum es gebeten hat.`,
    failedHeading: 'Das Konto wurde nicht verbunden',
    expiredHeading: 'Dieser Link ist abgelaufen',
    expiredLead: 'Zu Ihrer Sicherheit galt er nur kurze Zeit.',
    failedLead: (project) => `Es wurde nichts gespeichert. Für einen neuen Versuch beginnen Sie bei ${project}.`,
    returning: (project) => `Sie werden zu ${project} zurückgeleitet.`,
    back: (project) => `Zurück zu ${project}`,
    closing: 'Sie können dieses Fenster schließen.',
    close: 'Dieses Fenster schließen',
  },
  problems: {
    heading: 'Das hat nicht geklappt',
    anyExchange: 'Die Börse',
    cancelled: 'Sie haben abgebrochen.',
    any: (exchange) =>
      `${exchange} konnte nicht verbunden werden. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.`,
    byCode: {
      OAUTH_AUTHORIZATION_FAILED: (exchange) =>
        `Der Zugriff auf Ihr Konto bei ${exchange} wurde nicht erlaubt, oder der Versuch wurde nicht beendet. Um das Konto zu verbinden, versuchen Sie es noch einmal.`,
      OAUTH_TOKEN_EXCHANGE_FAILED: (exchange) =>
        `${exchange} hat die Verbindung nicht abgeschlossen. Warten Sie eine Minute, und versuchen Sie es noch einmal.`,
      OAUTH_INVALID_STATE: (exchange) =>
        `Die Antwort von ${exchange} gehörte nicht mehr zu dieser Seite. Bitte beginnen Sie neu.`,
      OAUTH_INSUFFICIENT_SCOPE: (exchange) =>
        `Bei ${exchange} wurde weniger erlaubt als nötig. Versuchen Sie es noch einmal und lassen Sie alles angekreuzt, oder wählen Sie einen anderen Weg.`,
      OAUTH_QR_CODE_UNAVAILABLE: (exchange) =>
        `${exchange} gibt zurzeit keinen Code für die App aus. Versuchen Sie es noch einmal, oder wählen Sie einen anderen Weg.`,
      WALLET_INVALID_CREDENTIALS: (exchange) =>
        `${exchange} nimmt diesen Schlüssel nicht an. Prüfen Sie, ob Sie ihn vollständig kopiert haben, oder erstellen Sie einen neuen.`,
      WITHDRAWAL_PROVIDER_ERROR: (exchange) =>
        `${exchange} war nicht erreichbar, hat die Auskunft verweigert oder unbrauchbar geantwortet. Wenn Sie einen Schlüssel eingegeben haben, prüfen Sie ihn. Sonst warten Sie eine Minute, und versuchen Sie es noch einmal.`,
      GENERIC_RATE_LIMIT_EXCEEDED: (exchange) =>
        `Es gab zu viele Versuche oder Anfragen bei ${exchange}. Warten Sie eine Minute, und versuchen Sie es noch einmal. Wenn es dann nicht geht, versuchen Sie es in einer Stunde.`,
      WITHDRAWAL_2FA_REQUIRED_TOTP: (exchange) =>
        `Dieser Schlüssel braucht bei jedem Aufruf einen Code und kann deshalb hier nicht verwendet werden. Schalten Sie bei ${exchange} die Zwei-Faktor-Authentifizierung des Schlüssels ab, oder erstellen Sie einen Schlüssel ohne sie.`,
      WITHDRAWAL_KYC_REQUIRED: (exchange) =>
        `${exchange} hat den Inhaber dieses Kontos noch nicht verifiziert. Schließen Sie die Verifizierung bei ${exchange} ab, und versuchen Sie es dann noch einmal.`,
      WITHDRAWAL_EMAIL_UNVERIFIED: (exchange) =>
        `Die E-Mail-Adresse des Kontos ist noch nicht bestätigt. Bestätigen Sie sie bei ${exchange}, und versuchen Sie es dann noch einmal.`,
      GENERIC_INVALID_REQUEST: (exchange) =>
        `Dieses Konto bei ${exchange} lässt sich hier nicht verbinden. Gehen Sie zurück zur Anwendung, und beginnen Sie neu.`,
    },
    byReason: {
      ip_not_allowed: (exchange) =>
        `Dieser Schlüssel erlaubt die IP-Adressen dieses Dienstes nicht. Ändern Sie die Liste seiner IP-Adressen bei ${exchange}, oder erstellen Sie einen Schlüssel ohne Liste.`,
      permission_missing: (exchange) =>
        `Diesem Schlüssel fehlt eine Berechtigung, oder er erlaubt nur andere IP-Adressen. Korrigieren Sie ihn bei ${exchange}, oder erstellen Sie einen anderen Schlüssel.`,
      key_ip_or_permission: (exchange) =>
        `${exchange} lehnt diesen Schlüssel ab: Er wurde nicht vollständig kopiert, ihm fehlt eine Berechtigung, oder er erlaubt nur andere IP-Adressen. Vergleichen Sie ihn mit Ihren Einstellungen bei ${exchange}, oder erstellen Sie einen anderen.`,
      expired: (exchange) =>
        `Dieser Schlüssel ist abgelaufen. Erstellen Sie bei ${exchange} einen neuen mit späterem oder ohne Ablaufdatum.`,
      location_blocked: (exchange) =>
        `${exchange} lässt diesen Dienst aus dem Land, in dem er läuft, keine Verbindung aufnehmen. Sie können daran nichts ändern: Sagen Sie es der Anwendung, aus der Sie kommen.`,
      address_blocked: (exchange) =>
        `${exchange} nimmt zurzeit keine Verbindungen dieses Dienstes an. Sie können daran nichts ändern: Sagen Sie es der Anwendung, aus der Sie kommen.`,
      firewall: (exchange) =>
        `${exchange} nimmt zurzeit keine Verbindungen dieses Dienstes an. Versuchen Sie es später noch einmal. Wenn es dann nicht geht, sagen Sie es der Anwendung, aus der Sie kommen.`,
      maintenance: (exchange) =>
        `${exchange} wird gerade gewartet. Ihr Schlüssel kann richtig sein. Versuchen Sie es später noch einmal.`,
      banned: (exchange) =>
        `${exchange} nimmt für einige Zeit keine Verbindungen dieses Dienstes an, weil es zu viele waren. Ihr Schlüssel kann richtig sein. Versuchen Sie es später noch einmal.`,
      country_not_served: (exchange) =>
        `${exchange} bietet dies im Land Ihres Kontos nicht an. Deshalb kann das Konto hier nicht verbunden werden.`,
      account_locked: (exchange) => `${exchange} hat dieses Konto gesperrt. Fragen Sie ${exchange} nach dem Grund.`,
      unified_account: (exchange) =>
        `Dieses Konto bei ${exchange} ist ein Unified Account und kann hier nicht verbunden werden. Verwenden Sie den Schlüssel eines klassischen Kontos.`,
      time_based_nonce: (exchange) =>
        `Dieser Schlüssel verwendet zeitbasierte Nonces („Uses a time based nonce“) und kann hier deshalb nicht verwendet werden. Erstellen Sie bei ${exchange} einen anderen Schlüssel ohne diese Einstellung.`,
    },
    keyLeft: (exchange, keyName) =>
      `Bitte löschen Sie den Schlüssel „${keyName}“ bei ${exchange}: Er wurde für diesen Versuch erstellt, und niemand verwendet ihn.`,
    attemptsLeft: (count) =>
      count === 1 ? 'Sie können es noch einmal versuchen.' : `Sie können es noch ${count} Mal versuchen.`,
  },
  notices: {
    other: {
      heading: 'In einem anderen Browser geöffnet',
      lead: 'Dieser Link wurde schon in einem anderen Browser oder auf einem anderen Gerät geöffnet und gilt nur dort.',
      next: 'Machen Sie dort weiter. Wenn Sie das nicht waren, gehen Sie zurück zur Anwendung, und beginnen Sie neu.',
    },
    otherConnected: {
      heading: 'Im anderen Browser erledigt',
      lead: 'Das Konto wurde in dem Browser verbunden, in dem dieser Link geöffnet wurde.',
      next: 'Sie können dieses Fenster schließen.',
    },
    otherFailed: {
      heading: 'Nicht verbunden',
      lead: 'Das Konto wurde in dem Browser, in dem dieser Link geöffnet wurde, nicht verbunden.',
      next: 'Gehen Sie zurück zur Anwendung, von der Sie kamen, und beginnen Sie neu.',
    },
    unknown: {
      heading: 'Dieser Link führt nirgendwohin',
      lead: 'Vielleicht wurde er beim Kopieren abgeschnitten, oder er ist zu alt.',
      next: 'Gehen Sie zurück zur Anwendung, von der Sie kamen, und beginnen Sie neu.',
    },
    invalidState: {
      heading: 'Hier geht es nicht weiter',
      lead: 'Die Antwort gehört zu keiner Verbindung, die dieser Browser begonnen hat, oder wurde schon verwendet. Sie hat nichts verbunden.',
      next: 'Gehen Sie zurück zur Anwendung, von der Sie kamen, und sehen Sie dort nach, oder beginnen Sie neu.',
    },
    foreign: {
      heading: 'Diese Anfrage kam nicht von unserer Seite',
      lead: 'Zu Ihrer Sicherheit wurde sie nicht ausgeführt.',
      next: 'Öffnen Sie den Link noch einmal, und verwenden Sie die Schaltflächen der Seite.',
    },
    refused: {
      heading: 'Das ist jetzt nicht möglich',
      lead: 'Seit diese Seite angezeigt wurde, hat sich vielleicht etwas geändert.',
      next: 'Öffnen Sie die Seite noch einmal, um den Stand zu sehen.',
    },
    tooMany: {
      heading: 'Zu viele Anfragen',
      lead: 'Aus Ihrem Netzwerk kamen in kurzer Zeit zu viele Anfragen.',
      next: 'Warten Sie eine Minute, und versuchen Sie es noch einmal.',
    },
    unavailable: {
      heading: 'Diese Seite lässt sich gerade nicht anzeigen',
      lead: 'Der Dienst ist ausgelastet, oder ein Teil davon antwortet nicht. Was verbunden war, bleibt verbunden.',
      next: 'Warten Sie einige Sekunden, und öffnen Sie die Seite noch einmal.',
    },
    fault: {
      heading: 'Bei uns ist etwas schiefgegangen',
      lead: 'Es liegt nicht an Ihnen. Was verbunden war, bleibt verbunden.',
      next: 'Versuchen Sie es in einer Minute noch einmal. Wenn es wieder geschieht, nennen Sie dem Support den Code unten.',
    },
    reopen: 'Die Seite noch einmal öffnen',
  },
};

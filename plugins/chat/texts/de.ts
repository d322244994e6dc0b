import type { PlannerRemedy } from '../types/planner.ts'
import type { NotVaried } from '../types/run.ts'
import { counted, type en } from './en.ts'

const quoted = (text: string): string => `„${text}“`

/** Every sentence of the pipeline for people, in German. */
export const de: typeof en = {
  change: (verb, what, to) => `${what} ${verb}${to === undefined ? '' : `: ${to}`}`,
  applied: ([only = '', ...more]) => (more.length === 0 ? `${only}.` : `${more.length + 1} Änderungen gemacht.`),
  rolledBack: (logLine) => `Zurückgenommen: ${logLine}`,
  rollingBack: (why) => ({
    canceled: 'Der Lauf wurde abgebrochen.',
    again: 'Die Änderung wird noch einmal geplant.',
    unfit: 'Eine der Änderungen lässt sich nicht anwenden.',
    held: 'Der Plan braucht erst Zustimmung.',
    other: 'Der vollständige Plan ist ein anderer.',
    ended: 'Der Plan ließ sich nicht anwenden.',
  })[why],
  kept: (slugs) => `Inzwischen hat jemand anders ${slugs.join(', ')} geändert: Das blieb erhalten, und damit auch, was diese Anfrage dort vorher geändert hatte. Rückgängig machen nimmt es zurück.`,
  stopped: () => 'Abgebrochen.',
  unchanged: () => 'Alles ist schon so; nichts wurde geändert.',
  waits: () => 'Nichts wird geändert, bevor Sie zustimmen.',
  checked: ({ error, warning, info }, where) => {
    const place = where === undefined ? 'auf der Website' : `auf der Seite ${quoted(where)}`
    if (error + warning + info === 0) return `Die Prüfungen finden ${place} nichts, was nicht stimmt.`
    return `Die Prüfungen finden ${place} ${error} Fehler, ${counted(warning, 'Warnung', 'Warnungen')} und ${counted(info, 'Hinweis', 'Hinweise')}.`
  },
  fixAll: (isSite) => (isSite ? 'Behebe die Fehler der Website' : 'Behebe die Fehler dieser Seite'),
  fixes: (count) => `Ich behebe ${counted(count, 'Fund', 'Funde')} der Prüfungen.`,
  nothingToFix: () => 'Die Prüfungen finden nichts, was ich ohne einen Text von Ihnen beheben kann.',
  attachmentsUnread: () => 'Was angehängt ist, wurde nicht angesehen.',
  note: ({ kind, type }) => ({
    references: `Ein Verweis von ${type} blieb, wie er ist: Er wird im CMS gepflegt.`,
    unknown_props: `Ein Teil des Plans entfiel, weil ${type} kein solches Feld hat.`,
    descriptions: `Die Beschreibung eines Bildes von ${type} blieb, wie sie war, weil sich die neue wie eine Bitte liest.`,
    images: `Manche Bilder von ${type} blieben, wie sie sind: Es fand sich rechtzeitig nichts Passendes, oder jemand anderes hat ihre Stelle inzwischen geändert.`,
    unfit_images: 'Manche Bilder, um die der Plan bittet, entfielen: Es gibt kein solches Bild, es ist doppelt oder unter zu vielen genannt, oder was es zeigen soll, ist nicht mit wenigen einfachen Worten gesagt.',
    no_images: 'Bilder blieben, wie sie sind, denn hier werden zurzeit keine gesucht.',
  })[kind],
  image: (place, query) => `Neues Bild für ${place} setzen: gesucht wird „${query}“`,
  reason: (reason) => {
    switch (reason.kind) {
      case 'remove_page':
        return `Das entfernt die Seite ${quoted(reason.title)} (${reason.slug}) mit ${counted(reason.blockCount, 'Block', 'Blöcken')}. Rückgängig machen bringt sie zurück.`
      case 'multi_page_plan':
        return `Das ändert ${reason.slugs.length} Seiten: ${reason.slugs.slice(0, 10).join(', ')}${reason.slugs.length > 10 ? ', …' : ''}.`
      case 'bulk_remove_blocks':
        return `Das entfernt ${reason.count} Blöcke.`
      case 'majority_page_wipe':
        return `Das entfernt ${reason.removing} von ${counted(reason.total, 'Block', 'Blöcken')} auf ${reason.slug}.`
    }
  },
  refine: (field, block) => ['kürzer', 'freundlicher'].map((how) => `Formuliere „${field}“ (${block}) ${how}`),
  discarded: (had) => (had ? 'Der Plan wurde verworfen; nichts wurde geändert.' : 'Es wartete kein Plan; nichts wurde geändert.'),
  nothingPending: (droppedFor) =>
    droppedFor === undefined
      ? 'Es wartet kein Plan auf Zustimmung; nichts wurde geändert. Ein Plan, der wartete, wurde angewendet oder verworfen, oder seine Stunde ist um. Sagen Sie noch einmal, was geändert werden soll.'
      : `Es wartet kein Plan auf Zustimmung; nichts wurde geändert. Er wurde verworfen, als ${quoted(droppedFor)} angewendet wurde. Sagen Sie noch einmal, was geändert werden soll.`,
  dropped: (message) => `Der Plan für ${quoted(message)} wartet nicht mehr auf Zustimmung.`,
  mismatched: () => 'Inzwischen wartet ein anderer Plan, daher wurde nichts angewendet. Sehen Sie ihn an und stimmen Sie diesem zu.',
  unsupportedAlone: () =>
    'Darin konnte ich keine wörtliche Änderung erkennen. Ohne Sprachmodell kann ich Texte, Links und Titel setzen und Blöcke, Zeilen und Seiten hinzufügen, verschieben, kopieren oder entfernen, wenn die Nachricht genau sagt, was, und neue Texte in Anführungszeichen setzt. Für alles andere setzen Sie ANTHROPIC_API_KEY, oder OPENAI_MODEL mit OPENAI_API_KEY, in der Umgebung des Servers und starten ihn neu.',
  unsupported: () => 'Ich konnte nicht erkennen, was geändert werden soll. Nennen Sie die Seite oder den Block und was dort stehen soll.',
  varied: (made, { asked, most, isAgain, images }) =>
    [
      `Hier ${made === 1 ? 'ist 1 Variante' : `sind ${made} Varianten`}${isAgain ? ', noch einmal' : ''}; geändert wird erst etwas, wenn Sie eine wählen.`,
      ...(asked > most ? [`Mehr als ${most} auf einmal werden nicht geschrieben.`] : !isAgain && made < asked ? ['Was sonst geschrieben wurde, war nicht zu gebrauchen.'] : []),
      ...(images ? [imageNotes[images]] : []),
    ].join(' '),
  notVaried: (why, alone) => [notVaried[why], ...(alone && why === 'noBlock' ? [notVaried.noModel] : [])].join(' '),
  blockedStructure: (ops) => `Diese Website erlaubt zurzeit keine Änderungen am Aufbau (${ops.join(', ')}), daher wurde nichts geändert. Texte, Links und Bilder lassen sich bearbeiten.`,
  blockTypes: () => 'Die Blocktypen der Website und ob sie bereit ist: GET /api/editor/blocks',
  blockedDemo: () => 'Das ist eine öffentliche Demo, in der das gesperrt ist; nichts wurde geändert. Versuchen Sie eine andere Änderung.',
  demoAllows: (ops, blockTypes) => `Diese Demo lässt zu: ${ops.join(', ')}, bei Blöcken vom Typ ${blockTypes.join(', ')}.`,
  invalid: () => 'Der Plan ließ sich nicht anwenden; nichts wurde geändert. Sagen Sie es anders, und nennen Sie die Seite und den Block.',
  invalidApproved: (kept) =>
    kept
      ? 'Der angenommene Teil lässt sich allein nicht anwenden; nichts wurde geändert. Der ganze Plan wartet weiter.'
      : 'Der Entwurf hat sich geändert, seit der Plan entstand, und der Plan passt nicht mehr. Nichts wurde geändert, und der Plan wurde verworfen. Fragen Sie noch einmal danach.',
  approvalFailed: () => 'Der angenommene Plan ließ sich nicht ausführen; nichts wurde geändert, und der Plan wurde verworfen. Fragen Sie noch einmal danach, oder nach einem Teil davon.',
  unapplied: (why) => ({
    moving: 'Andere ändern den Entwurf gerade unentwegt. Versuchen Sie es noch einmal.',
    too_large: 'Damit würde der Entwurf oder eine seiner Seiten größer, als erlaubt ist. Bitten Sie um weniger, oder kürzen Sie, was dort steht.',
    unfit: 'Er passt nicht zum Entwurf, wie er jetzt ist.',
  })[why],
  provider: ({ provider = 'Der Anbieter des Sprachmodells', remedy = 'later' }) => `${provider} hat die Anfrage nicht beantwortet${remedies[remedy]}. Nichts wurde geändert.`,
  budget: () => 'Was Sprachmodelle an einem Tag kosten dürfen, ist aufgebraucht; nichts wurde geändert. Änderungen, die genau sagen, was dort stehen soll, gehen ohne Modell weiter.',
  refused: () => 'Das Sprachmodell hat diese Anfrage abgelehnt. Nichts wurde geändert; sagen Sie es anders oder bearbeiten Sie es von Hand.',
  incomplete: () => 'Die Antwort des Sprachmodells brach ab; nichts wurde geändert. Bitten Sie um weniger auf einmal.',
  unusable: () => 'Der Planer gab nichts, was sich anwenden lässt; nichts wurde geändert. Versuchen Sie es noch einmal oder sagen Sie es anders.',
  broken: (how) => ({
    no_plan: 'Was der Planer gab, ist kein Plan.',
    broke_off: 'Der Planer brach ab. Das Protokoll hat Näheres unter der Kennung dieses Laufs.',
  })[how],
  label: (label) => label,
  verbs: {
    create: ['anlegen', 'angelegt'],
    rename: ['umbenennen', 'umbenannt'],
    remove: ['entfernen', 'entfernt'],
    move: ['verschieben', 'verschoben'],
    duplicate: ['kopieren', 'kopiert'],
    update: ['ändern', 'geändert'],
    add: ['hinzufügen', 'hinzugefügt'],
  },
  words: {
    page: 'Seite',
    at: 'unter',
    after: 'hinter',
    as: 'nach',
    block: 'Block',
    on: 'auf',
    added: 'auf',
    copied: 'nach',
    row: 'Zeile',
    newRow: 'Zeile in',
    of: 'von',
    meta: 'Angaben für Suchmaschinen auf',
    config: 'Einstellungen der Website',
    previews: 'Vorschauen von',
    logo: 'das Logo der Website',
    settings: {
      title: 'Titel', description: 'Beschreibung', name: 'Name', logo: 'Logo',
      ogImage: 'Bild für Vorschauen', navLabels: 'Namen im Menü', navGroups: 'Gruppen im Menü',
    },
    quoted,
    value: (name, value) => (value === null ? `ohne ${name}` : `${name} ${quoted(value)}`),
  },
}

const remedies: Readonly<Record<PlannerRemedy, string>> = {
  later: '; versuchen Sie es in einigen Minuten noch einmal',
  wait: ', denn die Grenze des Kontos ist erreicht; warten Sie einige Minuten',
  smaller: ', denn sie ist zu groß; wählen Sie einen Block aus und bitten Sie um eine Änderung daran, oder wählen Sie ein anderes Modell',
  operator: ', denn etwas ist nicht richtig eingerichtet; das Protokoll des Servers sagt, was',
}

const imageNotes = {
  'no address': 'Bilder bleiben, wie sie sind, denn hier werden keine gesucht oder erzeugt; schreiben Sie die Adresse eines Bildes in die Nachricht, um es zu verwenden.',
  'not found': 'Für manche Bilder fand sich rechtzeitig nichts Passendes: Diese Varianten behalten das Bild, das da ist.',
  'no image': 'Dieser Block hat kein Bild, das sich ändern ließe.',
}

const notVaried: Readonly<Record<NotVaried, string>> = {
  noBlock: 'Varianten werden für einen Block geschrieben: Wählen Sie einen aus und fragen Sie noch einmal.',
  noModel: 'Varianten schreibt ein Sprachmodell, und dieser Server hat keines. Setzen Sie ANTHROPIC_API_KEY, oder OPENAI_MODEL mit OPENAI_API_KEY, in der Umgebung des Servers und starten ihn neu; Texte, die Sie wörtlich vorgeben, lassen sich auch ohne setzen.',
  nothing: 'In diesem Block gibt es nichts, worin sich Varianten unterscheiden dürften. Wählen Sie einen anderen, oder lassen Sie mehr davon frei.',
  noImages: 'Die Varianten unterscheiden sich nur in ihren Bildern, und für keines fand sich rechtzeitig etwas Passendes. Sagen Sie, was die Bilder zeigen sollen, oder lassen Sie auch die Texte verschieden sein.',
  tooLong: 'Dieser Block ist zusammen mit der Nachricht zu lang für ein Sprachmodell. Teilen Sie den Block, oder kürzen Sie die Nachricht.',
}

import type { ModelFailure } from '../../llm/port.ts'
import type { Budget } from '../../usage/port.ts'
import { inLanguage } from '../texts/language.ts'

/** Fixed texts for people, by language; other languages get English. */
interface Texts {
  readonly again: string
  readonly whatInstead: string
  readonly whichBlock: string
  readonly suggestions: readonly string[]
  readonly tooLong: (characters: number) => string
  readonly left: (fields: readonly string[], more: number) => string
  readonly dropped: (count: number) => string
  readonly nothing: string
  readonly bothButtons: string
  readonly willDescribe: string
  readonly setsDescription: (text: string) => string
  /** What failures say of themselves in English; nothing where that is the language. */
  readonly failed: (failure: ModelFailure) => string | undefined
  readonly noPlan: (times: number) => string | undefined
  readonly noVariation: (times: number) => string | undefined
  readonly spent: (budget: Budget) => string | undefined
}

const english: Texts = {
  again: 'The answer could not be used. Planning again',
  whatInstead: 'I did not get that. What should change on this page?',
  whichBlock: 'Which section should change? Select it, or name it.',
  suggestions: ['Change the hero heading to "Welcome"', 'Add a section with testimonials', 'Shorten the text of the hero', 'Which sections can I add?'],
  tooLong: (characters) => `This message is too long to plan from: it may have about ${characters} characters. Which part of it should come first?`,
  left: (fields, more) => `Left as they were: ${fields.join('; ')}${more > 0 ? ` and ${more} more` : ''}.`,
  dropped: (count) => `The answer was cut off, so that ${count === 1 ? 'one change is' : `${count} changes are`} missing.`,
  nothing: 'Nothing was changed.',
  bothButtons: 'Both buttons are meant, the one in the hero and the one at the end of the page. What should each of them say?',
  willDescribe: 'I will describe the image.',
  setsDescription: (text) => `Set the image description to "${text}"`,
  failed: () => undefined,
  noPlan: () => undefined,
  noVariation: () => undefined,
  spent: () => undefined,
}

const models = 'ANTHROPIC_MODEL_FAST, _BALANCED, _REASONING und _CODEX'

/** What to do about each status of the provider. */
const germanRemedies: ReadonlyMap<number, string> = new Map([
  [400, `Anthropic hat die Anfrage nicht angenommen. Prüfen Sie, ob das Konto Guthaben hat, und die Modelle in ${models}.`],
  [401, 'Anthropic hat den Schlüssel nicht angenommen. Prüfen Sie ANTHROPIC_API_KEY in der Umgebung des Servers und starten Sie ihn neu.'],
  [402, 'Anthropic will bezahlt werden. Prüfen Sie die Abrechnung des Kontos, zu dem ANTHROPIC_API_KEY gehört.'],
  [403, 'Anthropic erlaubt das mit diesem Schlüssel nicht. Prüfen Sie, was ANTHROPIC_API_KEY darf.'],
  [404, `Anthropic kennt das Modell oder die Adresse nicht. Prüfen Sie ${models} und ANTHROPIC_BASE_URL.`],
  [413, 'Die Anfrage ist für Anthropic zu groß. Wählen Sie einen Block aus und bitten Sie um eine Änderung daran.'],
  [429, 'Anthropic nimmt zurzeit keine Anfragen mehr an: die Grenze des Kontos ist erreicht. Warten Sie, oder heben Sie die Grenzen des Kontos an, zu dem ANTHROPIC_API_KEY gehört.'],
])
const redirected = 'Die Adresse von Anthropic antwortete mit einer Weiterleitung, der nicht gefolgt wird. Prüfen Sie ANTHROPIC_BASE_URL.'
const inGeneral = `Anthropic hat die Anfrage nicht angenommen. Prüfen Sie ${models} sowie ANTHROPIC_BASE_URL.`
const germanKinds: Readonly<Record<Exclude<ModelFailure['kind'], 'provider'>, string>> = {
  overload: 'Anthropic ist überlastet oder hat eine Störung. Versuchen Sie es in einigen Minuten noch einmal.',
  network: 'Anthropic war nicht zu erreichen oder brach mitten in einer Antwort ab. Prüfen Sie das Netz und ANTHROPIC_BASE_URL und versuchen Sie es noch einmal.',
  timeout: 'Anthropic hat nicht rechtzeitig geantwortet. Versuchen Sie es noch einmal, oder bitten Sie um eine kleinere Änderung.',
  refused: 'Das Modell von Anthropic hat diese Anfrage abgelehnt. Sagen Sie es anders.',
  truncated: 'Die Antwort des Modells von Anthropic wurde abgeschnitten, weil sie zu lang wurde. Bitten Sie um weniger auf einmal.',
  aborted: 'Der Aufruf des Modells wurde abgebrochen.',
}

function failedInGerman({ kind, status = 0 }: ModelFailure): string {
  if (kind !== 'provider') return germanKinds[kind]
  if (status >= 300 && status < 400) return redirected
  return germanRemedies.get(status) ?? inGeneral
}

const german: Texts = {
  again: 'Die Antwort war nicht zu gebrauchen. Es wird noch einmal geplant',
  whatInstead: 'Das habe ich nicht verstanden. Was soll sich auf dieser Seite ändern?',
  whichBlock: 'Welcher Abschnitt soll sich ändern? Wählen Sie ihn aus oder nennen Sie ihn.',
  suggestions: ['Ändere die Überschrift im Hero zu "Willkommen"', 'Füge einen Abschnitt mit Kundenstimmen hinzu', 'Kürze den Text im Hero', 'Welche Abschnitte kann ich hinzufügen?'],
  tooLong: (characters) => `Diese Nachricht ist zu lang: sie darf etwa ${characters} Zeichen haben. Was davon soll zuerst geschehen?`,
  left: (fields, more) => `Unverändert geblieben: ${fields.join('; ')}${more > 0 ? ` und ${more} weitere` : ''}.`,
  dropped: (count) => `Die Antwort war abgeschnitten, es ${count === 1 ? 'fehlt eine Änderung' : `fehlen ${count} Änderungen`}.`,
  nothing: 'Geändert wurde nichts.',
  bothButtons: 'Gemeint sind beide Knöpfe, der im Hero und der am Ende der Seite. Was soll auf jedem stehen?',
  willDescribe: 'Ich werde das Bild beschreiben.',
  setsDescription: (text) => `Setze die Bildbeschreibung auf "${text}"`,
  failed: failedInGerman,
  noPlan: (times) => `Das Modell von Anthropic gab ${times}-mal keinen Plan, der zu gebrauchen ist. Sagen Sie es anders, oder bitten Sie um weniger auf einmal.`,
  noVariation: (times) => `Das Modell von Anthropic gab ${times}-mal keine Variante, die zu gebrauchen ist. Sagen Sie anders, wie die Varianten sein sollen, oder bitten Sie um weniger.`,
  spent: ({ spentUsd, perDayUsd }) => `Modelle haben heute $${spentUsd.toFixed(2)} gekostet, und CHAT_BUDGET_USD_PER_DAY erlaubt $${perDayUsd}. Erhöhen Sie es, oder warten Sie bis Mitternacht (UTC); was wörtlich gesagt wird, geht ohne Modell weiter.`,
}

/** The fixed texts in a language. */
export function textsFor(locale: string): Texts {
  return inLanguage({ en: english, de: german }, locale)
}

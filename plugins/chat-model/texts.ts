import { inLanguage } from '../content/naming.ts'
import type { Budget } from '../usage/port.ts'

/** Fixed texts for people, also used for unsupported languages. */
const english = {
  again: 'The answer could not be used. Planning again',
  whatInstead: 'I did not get that. What should change on this page?',
  whichBlock: 'Which section should change? Select it, or name it.',
  suggestions: ['Rewrite the hero headline', 'Add a section with testimonials', 'Shorten the text of the hero', 'Which sections can I add?'],
  tooLong: (characters: number) => `This message is too long to plan from: it may have about ${characters} characters. Which part of it should come first?`,
  left: (fields: readonly string[], more: number) => `Left as they were: ${fields.join('; ')}${more > 0 ? ` and ${more} more` : ''}.`,
  partly: (slugs: readonly string[], more: number) => `Only a part was looked at of ${slugs.join(', ')}${more > 0 ? ` and ${more} more` : ''}, because it is too long for one request. Name or select what else should change.`,
  cut: 'The answer was cut off, so that one change is missing.',
  nothing: 'Nothing was changed.',
  bothButtons: 'Both buttons are meant, the one in the hero and the one at the end of the page. What should each of them say?',
  willDescribe: 'I will describe the image.',
  setsDescription: (text: string) => `Set the image description to "${text}"`,
  /** The provider asks to wait. */
  waiting: (seconds: number) => `The language model takes no more requests for now. Trying again in ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
  noPlan: (times: number) => `The model gave no plan that can be used, ${times} times. Word the request differently, or ask for less at once.`,
  noVariation: (times: number) => `The model gave no variation that can be used, ${times} times. Say differently what the variations should be like, or ask for fewer.`,
  spent: ({ spentUsd, perDayUsd }: Budget) => `Models have cost $${spentUsd.toFixed(2)} today, and CHAT_BUDGET_USD_PER_DAY allows $${perDayUsd}. Raise it, or wait until midnight UTC; plain edits such as: set the heading to "Hello", go on without a model.`,
}

const german: typeof english = {
  again: 'Die Antwort war nicht zu gebrauchen. Es wird noch einmal geplant',
  whatInstead: 'Das habe ich nicht verstanden. Was soll sich auf dieser Seite ändern?',
  whichBlock: 'Welcher Abschnitt soll sich ändern? Wählen Sie ihn aus oder nennen Sie ihn.',
  suggestions: ['Ändere die Hero-Überschrift', 'Füge Kundenstimmen hinzu', 'Kürze den Text im Hero', 'Welche Abschnitte gibt es?'],
  tooLong: (characters) => `Diese Nachricht ist zu lang: sie darf etwa ${characters} Zeichen haben. Was davon soll zuerst geschehen?`,
  left: (fields, more) => `Unverändert geblieben: ${fields.join('; ')}${more > 0 ? ` und ${more} weitere` : ''}.`,
  partly: (slugs, more) => `Nur ein Teil wurde angesehen von ${slugs.join(', ')}${more > 0 ? ` und ${more} weiteren` : ''}, weil es für eine Anfrage zu lang ist. Nennen Sie, was sich noch ändern soll, oder wählen Sie es aus.`,
  cut: 'Die Antwort war abgeschnitten, es fehlt eine Änderung.',
  nothing: 'Geändert wurde nichts.',
  bothButtons: 'Gemeint sind beide Knöpfe, der im Hero und der am Ende der Seite. Was soll auf jedem stehen?',
  willDescribe: 'Ich werde das Bild beschreiben.',
  setsDescription: (text) => `Setze die Bildbeschreibung auf "${text}"`,
  waiting: (seconds) => `Das Sprachmodell nimmt zurzeit keine Anfragen an. Nächster Versuch in ${seconds} ${seconds === 1 ? 'Sekunde' : 'Sekunden'}`,
  noPlan: (times) => `Das Modell gab ${times}-mal keinen Plan, der zu gebrauchen ist. Sagen Sie es anders, oder bitten Sie um weniger auf einmal.`,
  noVariation: (times) => `Das Modell gab ${times}-mal keine Variante, die zu gebrauchen ist. Sagen Sie anders, wie die Varianten sein sollen, oder bitten Sie um weniger.`,
  spent: ({ spentUsd, perDayUsd }) => `Modelle haben heute $${spentUsd.toFixed(2)} gekostet, und CHAT_BUDGET_USD_PER_DAY erlaubt $${perDayUsd}. Erhöhen Sie es, oder warten Sie bis Mitternacht (UTC); was wörtlich gesagt wird, geht ohne Modell weiter.`,
}

/** The fixed texts in a language. */
export function textsFor(locale: string): typeof english {
  return inLanguage({ en: english, de: german }, locale)
}

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
}

/** The fixed texts in a language. */
export function textsFor(locale: string): Texts {
  return /^de(?:[-_]|$)/i.test(locale) ? german : english
}

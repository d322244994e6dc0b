/** Recognises messages in another language than English by their commonest words. */
import { texts } from './texts.ts'
import type { Tokens } from './tokens.ts'

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(' '))
const english = wordsOf(
  'the a an to of in on and is it as at by make change set add remove delete move this that with for my please should replace new',
)
const german = wordsOf(
  'der die das den dem des ein eine einen einem einer und oder nicht auf zu zum zur mit für ist im von bitte ändere ändern setze mach mache ' +
    'lösche löschen entferne entfernen füge hinzu hinzufügen verschiebe verschieben ersetze überschrift seite knopf abschnitt titel ' +
    'neue neuen neuer kannst du ich möchte soll unten oben nach durch',
)
const others = wordsOf(
  'le la les un une des du et est pas sur au aux dans par pour ajoute ajouter ajoutez supprime supprimer modifie modifier titre bouton ' +
    'el los las una unos y en por del cambia cambiar añade añadir elimina eliminar título botón página ' +
    'il lo gli della nel aggiungi rimuovi titolo pagina pulsante het een van naar voeg verander verwijder kop knop ' +
    'o os as para mude altere adicione remova dodaj usuń zmień lägg till ändra ta bort rubriken tilføj fjern endre overskriften til',
)

/** Says that English is expected, to a message in German in German; `undefined` for one that may be English. */
export function otherLanguage(tokens: Tokens): string | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word').map(({ word }) => word)
  const count = (vocabulary: ReadonlySet<string>): number =>
    words.filter((word) => vocabulary.has(word)).length
  const latin = words.filter((word) => /^[\p{Script=Latin}\p{M}\p{N}']+$/u.test(word)).length
  if (words.length > 0 && latin * 2 < words.length) return texts.wantsEnglish
  const [inGerman, inOthers] = [count(german), count(others)]
  if (Math.max(inGerman, inOthers) < 2 || Math.max(inGerman, inOthers) <= count(english)) return undefined
  return inGerman >= inOthers ? texts.wantsEnglishInGerman : texts.wantsEnglish
}

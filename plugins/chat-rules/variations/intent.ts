import type { VariationIntent } from '../../chat/port.ts'
import { outsideOfQuotes, wordSet } from '../../content/words.ts'
import { recipients } from '../images/vocabulary.ts'
import { languages } from '../language/index.ts'
import { longestMessage } from '../message/request.ts'

const making = wordSet('generate create make give produce draft generiere generieren erzeuge erzeugen erstelle erstellen mach mache machen gib geben liefere liefern entwirf entwerfen')
const showing = wordSet('show see view reopen zeig zeige zeigen sehen öffne öffnen')
const fresh = wordSet('new different another other more fresh again neu neue neuen andere anderen weitere weiteren mehr frische nochmal erneut')

/** Unambiguous nouns, and nouns that may also be page content. */
const plain = wordSet('variation variations variant variants variante varianten variationen')
const common = wordSet('alternative alternatives option options alternativen optionen vorschlag vorschläge')

const before = wordSet('please kindly ok okay hey hi hello now then also so well can could would will you let me i want like d to bitte kannst könntest würdest können könnten würden du sie nun jetzt dann mal ich möchte will lass mich mir uns')
const modals = wordSet('kannst könntest würdest können könnten würden möchte will lass')

/** Words allowed between the verb and an ambiguous noun. */
const describing = wordSet(`a an the some few several couple of more other another different new fresh additional alternative further better shorter longer short long good creative bold playful friendly formal possible
  title titles heading headings headline headlines subheading text texts copy button cta tagline description wording content hero block section sie
  ein eine einen ein paar die einige mehrere andere anderen neue neuen weitere weiteren verschiedene kurze kürzere lange längere bessere gute kreative freundliche titel überschrift überschriften text texte`)
/** Words that always end the noun phrase. */
const breaking = wordSet('and or with without for in on at from by as than about that which it its this these those them named called titled labeled say says saying und oder mit ohne für von zu in im auf an aus als über namens genannt')
const measures = wordSet('couple few lot set number handful bunch')

const determiners = wordSet('this that it the my our your these dieses diese diesen dieser diesem das die der den dem meine unsere')
const pages = wordSet('page pages site website seite seiten webseite')
const aim = wordSet('of for from to von für zu zum zur')
const ending = wordSet('please again now instead bitte nochmal erneut jetzt')
const going = wordSet(': in with without that which where using based keeping about here im mit ohne die')
const joining = wordSet('and but und aber')
const keeping = wordSet('keep leave use behalte lass nutze')
const edits = wordSet('add change delete duplicate edit fix insert move remove rename replace rewrite set translate update ändere entferne ersetze füge lösche setze verschiebe')

const numbers = new Map([['eins', 1], ...languages.flatMap((language) => Object.entries(language.numbers))] as const)
const usualCount = 3
const mostBetween = 6

/**
 * Parses a request for variations; `undefined` if the message is not one.
 *
 * A noun and a verb are not enough, since pages have options and variants too: the noun has to be the object of the verb,
 * and no other edit may precede it. Quoted text is ignored.
 */
export function variationIntentOf(message: string): VariationIntent | undefined {
  const clauses = clausesOf(message)
  const words = clauses.find((each) => nounOf(each) !== undefined)
  if (!words || clauses.slice(0, clauses.indexOf(words)).some(isEdit)) return undefined
  return { again: showing.has(verbOf(words).verb) && !words.some((word) => fresh.has(word)) }
}

/** The requested number of variations: the number before the noun. */
export function countIn(message: string): number {
  const counts = clausesOf(message).flatMap((words) => {
    const noun = words.findIndex(isNoun)
    return words.slice(Math.max(0, noun - mostBetween), Math.max(0, noun)).flatMap((word) => numberOf(word) ?? [])
  })
  return counts.at(-1) ?? usualCount
}

const isNoun = (word: string): boolean => plain.has(word) || common.has(word)
const isEdit = (words: readonly string[]): boolean => edits.has(words.find((word) => !before.has(word)) ?? '')

function numberOf(word: string): number | undefined {
  const number = /^\d{1,9}$/.test(word) ? Number(word) : numbers.get(word)
  return number === 0 ? undefined : number
}

/** The lower case words of each clause; a colon and a quoted text are separate words. */
function clausesOf(message: string): readonly (readonly string[])[] {
  if (message.length > longestMessage) return []
  const { text } = outsideOfQuotes(message, ' " ')
  return text.toLowerCase().split(/[.!?;,\n]/).map((clause) => clause.match(/[\p{L}\p{M}\p{N}]+|[:"]/gu) ?? [])
}

/** The verb of a request, after courtesies; in German it may come last, after a modal such as `kannst`. */
function verbOf(words: readonly string[]): { readonly verb: string; readonly object: readonly string[]; readonly isForMe: boolean } {
  const start = words.findIndex((word) => !before.has(word))
  const verb = words[start] ?? ''
  if (making.has(verb) || showing.has(verb)) {
    const object = words.slice(start + 1)
    const isForMe = object.slice(0, 2).some((word) => recipients.has(word))
    return { verb, object: isForMe ? object.slice(object.findIndex((word) => recipients.has(word)) + 1) : object, isForMe }
  }
  const isModal = start > 0 && words.slice(0, start).some((word) => modals.has(word))
  return { verb: isModal ? (words.at(-1) ?? '') : '', object: words.slice(start, -1), isForMe: isModal }
}

/** The noun of a request for variations. */
function nounOf(words: readonly string[]): string | undefined {
  const { verb, object, isForMe } = verbOf(words)
  if (!making.has(verb) && !showing.has(verb)) return undefined
  const at = object.findIndex(isNoun)
  const noun = object[at]
  if (noun === undefined || at > mostBetween) return undefined
  const isOpen = isForMe || plain.has(noun)
  const between = object.slice(0, at)
  const isAboutVariations = between.every((word, n) => (isOpen ? !isBreak(between, n) : describing.has(word) || numberOf(word) !== undefined))
  return isAboutVariations && isStillAbout(object.slice(at + 1), isOpen) ? noun : undefined
}

function isBreak(words: readonly string[], at: number): boolean {
  const word = words[at] ?? ''
  return word === '"' || word === ':' || breaking.has(word) || (word === 'of' && !measures.has(words[at - 1] ?? ''))
}

/** Whether the words after the noun fit variations of something smaller than a page. */
function isStillAbout([first, ...rest]: readonly string[], isOpen: boolean): boolean {
  const [second = ''] = rest
  if (first === undefined || ending.has(first)) return true
  if (aim.has(first)) {
    const isOfPage = rest.length <= 3 && pages.has(rest.at(-1) ?? '')
    return !isOfPage && (isOpen || second === '"' || determiners.has(second) || describing.has(second))
  }
  if (joining.has(first)) return keeping.has(second)
  return isOpen && going.has(first)
}

/** Words that describe an item by what it says. */
import { wordSet, wordsIn } from '../../content/words.ts'
import { ordinalOf, singular, typesNamed } from './names.ts'
import { fillers, phraseOf, type Tokens } from './tokens.ts'
import type { PlanState } from './work.ts'

/** Words between a noun and what it says. */
const beforeContent = /^(?:about|by|from|of|on|with|for|says?|saying|asks|called|named|titled)$/
/** Words before the place of a part, such as a word that is in a section. */
const beforePlace = /^(?:of|from|in|on|to|into|at|inside|within|out)$/
/** Say more than a text: which of several, where, or what is missing. */
const notContent = wordSet(
  `left right top bottom middle upper lower next previous other same new old big small no not empty all every only
  both and or most least more less many longest shortest best worst latest newest oldest whole entire current
  selected main extra wrong today yesterday earlier`,
)
/** In words: what is before its noun is a name, such as a title or an author. */
const longestName = 6

/** The readings of words as a noun and what its item says: `question about e-bikes`, `Noor card`. */
export function descriptions(work: PlanState, tokens: Tokens) {
  if (beforePlace.test(tokens.at(-1)?.word ?? '')) return []
  const at = tokens.findIndex(({ word }) => beforeContent.test(word))
  const readings = [at, -1, -2].flatMap((cut) => {
    if (cut > 0)
      return [
        {
          noun: tokens.slice(0, cut).filter(({ word }) => !/^(?:that|which)$/.test(word)),
          content: tokens.slice(cut + 1),
          most: Infinity,
        },
      ]
    // `"on Mondays" from the banner` names a text in the banner, not a banner.
    const content = tokens.slice(0, cut)
    if (cut === 0 || content.some(({ word }) => beforePlace.test(word))) return []
    return [{ noun: tokens.slice(cut), content, most: longestName }]
  })
  return readings.flatMap(({ noun, content, most }) => {
    const phrase = phraseOf(noun)
    const isSection = /^(?:section|block)$/.test(phrase)
    const isNoun =
      isSection || (typesNamed(work.names, phrase) ?? work.names.listsByPhrase.get(singular(phrase)))
    const isExact = content.some(
      ({ kind, word }) => kind === 'sign' || notContent.has(word) || ordinalOf({ word }) !== undefined,
    )
    const wanted = content.flatMap(({ kind, word, text }) =>
      kind !== 'quoted' && fillers.has(word) ? [] : wordsIn(word || text).map(singular),
    )
    const isField = content.every(
      ({ kind, word }) => kind !== 'quoted' && (fillers.has(word) || work.names.fields.has(word)),
    )
    if (!isNoun || isExact || isField || wanted.length === 0) return []
    return [{ noun, isSection, wanted, most }]
  })
}

import { hasAny, wordSet, type Words } from '../words.ts'

const describing = wordSet('describe beschreibe beschreib beschreiben')
const writing = wordSet('generate write create suggest improve add make draft rewrite give erzeuge generiere schreibe schreib erstelle verbessere ergänze mach mache formuliere gib')
const descriptions = wordSet('alt alttext description descriptive accessibility accessible alternativtext bildbeschreibung beschreibung beschreibender aussagekräftiger barrierefrei barrierefreier barrierefreiheit')
/** Words of other work on a text that is there already. */
const other = wordSet('translate translated translation shorten shorter remove delete clear copy move übersetze übersetzen kürze kürzer entferne lösche kopiere verschiebe')

/** Tells whether a message asks to describe the image whose description is selected. A text in quotes is the description itself. */
export function wantsDescription(words: Words): boolean {
  if (words.quoted > 0 || hasAny(words, other)) return false
  return hasAny(words, describing) || (hasAny(words, writing) && hasAny(words, descriptions))
}

import { tokensOf } from './sentence.ts'
import type { SourceKind } from '../types/plan.ts'
import * as say from './vocabulary.ts'
import { longestMessage } from './wish.ts'

/** The source that a message names, where it says nothing else: the answer to the question for one. */
export function sourceAlone(message: string): SourceKind | 'any' | undefined {
  const said = tokensOf(message.slice(0, longestMessage).toLowerCase().replace(/\([^()]*\)/g, ' '))
  const words = said.filter((word) => !around.has(word))
  if (words.length === 0) return said.some((word) => say.generating.has(word)) ? 'generated' : undefined
  return words.every((word) => either.has(word)) ? 'any' : say.sourceIn(words)
}

const either = new Set(['either', 'any', 'both', 'whichever', 'egal', 'beides', 'beide', 'eins', 'of', 'them', 'von', 'beiden', 'is', 'ist', 'fine'])
const around = new Set([...say.before, ...say.afterwards, 'use', 'generate', 'it', 'them', 'with', 'from', 'by', 'an', 'nimm', 'nutze', 'erzeuge', 'erzeugen', 'verwende', 'mit', 'von', 'es', 'sie', 'create', 'make'])

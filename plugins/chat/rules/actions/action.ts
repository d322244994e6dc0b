import type { Node, Parts } from '../grammar/node.ts'
import type { Work } from '../work.ts'
import { unfit } from '../ask.ts'

/**
 * Turns one reading of a clause into operations.
 *
 * Throws `Ask` where something is missing, ambiguous or not possible, and `Unfit` where the reading makes no sense here.
 */
export type Action = (work: Work, parts: Parts, detail: string) => Work

/** A part that the form of the rule always has. */
export function need(parts: Parts, key: string): Node {
  return parts[key] ?? unfit(`the form has no '${key}'`)
}

/** A part that one of the forms of the rule has not. */
export const given = (node: Node | undefined): Node => node ?? unfit('the form lacks a part')

/** What was written for a text; gives up where that is a remark. */
export const textOf = (node: Node | undefined): string => (node?.form === 'remark' ? unfit('this is no text but a remark') : node?.text ?? '')

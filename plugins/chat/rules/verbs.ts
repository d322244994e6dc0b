/** The verbs of each kind of wish, and the texts in quotes. */
import type { Tokens } from './tokens.ts'

/** The verbs of each kind of sentence. A message that has one of them is offered no other kind. */
export const verbs = {
  remove: /^(?:remove|delete|drop|erase|eliminate|cut|scrap|rid|away|off|out|gone)$/,
  clear: /^(?:remove|delete|drop|erase|eliminate|cut|scrap|rid|away|off|out|gone|clear|empty)$/,
  move: /^(?:move|shift|bring|push|drag|swap|switch|exchange|reorder)$/,
  copy: /^(?:duplicate|copy|copies|clone|repeat)$/,
  add: /^(?:add|insert|create|include|append|another|new|missing)$/,
  set: /^(?:set|change|update|rename|edit|write|replace|correct|fix|link|links|point|points|leads?|opens?|typo)$/,
} as const
export type VerbKind = keyof typeof verbs

/** A wish for something to be there, or for a page, without such a verb. */
export const wantsMore = /^(?:want|need|needs|like|get|have|put|build|make)$/

/** A wish for something to be removed, without such a verb. */
export const isGoing = /\b(?:can|must|should|has to|have to|needs to) go$/
/** What follows one of these is a place or an owner, not what is to be added. */
export const beforePlace =
  /^(?:to|in|on|into|onto|at|of|from|with|by|before|above|after|below|under|behind|for|about)$/

/** A text is behind one of these, and behind a colon. */
export const beforeText = /^(?:say|says|saying|read|reads|called|named|titled|spelled|:)$/

export const quotedIn = (tokens: Tokens): readonly string[] =>
  tokens.filter(({ kind }) => kind === 'quoted').map(({ text }) => text)

import { fold } from './fold.ts'

/** Older clients append what they know of the site to what the person wrote. */
const appended = /\[site context\][\s\S]*?(?:\[\/site context\]|$)/gi

/** What the person wrote: without what older clients append, and without blanks around it. Values stay as they are. */
export function cleanMessage(message: string): string {
  return message.replace(appended, ' ').trim()
}

/** Tells whether a message says nothing but one of these phrases. */
export function isOnly(phrases: readonly string[], courtesies: readonly string[], message: string): boolean {
  if (message.length > longestReply) return false
  const words = fold(message).toLowerCase().replace(/[^\p{L}\p{N}' ]+/gu, ' ').split(' ').filter(Boolean)
  const said = words.join(' ')
  const courtesy = courtesies.find((phrase) => said.endsWith(` ${phrase}`)) ?? ''
  return [said, said.slice(0, said.length - courtesy.length).trim()].some((text) => phrases.includes(text))
}

const longestReply = 60

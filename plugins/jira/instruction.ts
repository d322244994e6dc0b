import type { Collected } from './attachments.ts'
import { readAdf } from './read-adf.ts'
import type { Issue } from './schemas.ts'
import type { ThreadComment } from './thread.ts'

/** A part of what a ticket says. All of it is data: the prompt fences it. */
export interface Part {
  readonly title: string
  readonly text: string
}

const longestDescription = 20_000
const longestComment = 1_200
const mostComments = 50
/** Of all documents together. */
const longestDocuments = 100_000

/** What a ticket says, for a model, in an order that never changes. */
export function toParts({ issue: { fields }, thread, collected: { images, documents, skipped } }: {
  readonly issue: Issue
  readonly thread: readonly ThreadComment[]
  readonly collected: Collected
}): readonly Part[] {
  const newest = thread.findLast(({ kind }) => kind === undefined)
  const said = thread.slice(-mostComments).map((comment) => {
    const who = comment.kind === undefined ? 'reporter' : 'agent'
    return `[${who}${comment === newest ? ', newest: where it differs from what is said before, this counts' : ''}]\n${comment.text.slice(0, longestComment)}`
  })
  let left = longestDocuments
  const texts = documents.map((document) => {
    const text = document.text.slice(0, left)
    left -= text.length
    return `[${document.name}]\n${text}`
  })
  const parts = [
    { title: 'Summary', text: fields.summary },
    { title: 'Description', text: readAdf(fields.description).slice(0, longestDescription) },
    { title: 'Images, stored for this site', text: images.map((image) => `${image.url} (${image.name})`).join('\n') },
    { title: 'Documents', text: texts.join('\n\n') },
    { title: 'Files that were not read', text: skipped.map((file) => `${file.name}: ${file.why}`).join('\n') },
    { title: 'Comments, oldest first', text: said.join('\n\n') },
  ]
  return parts.map(({ title, text }) => ({ title, text: text.trim().toWellFormed() })).filter(({ text }) => text !== '')
}

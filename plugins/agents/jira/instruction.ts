import { Refusal } from '../../../kernel/index.ts'
import { decodeText, declaredKind, type Media } from '../../media/port.ts'
import type { Outbound } from '../../outbound/port.ts'
import { readAdf } from './read-adf.ts'
import type { Attachment, Issue } from './schemas.ts'
import { cloudHost, type JiraConnection } from './settings.ts'
import type { ThreadComment } from './thread.ts'

const longestDescription = 20_000
const longestComment = 1_200
const mostComments = 50
/** The maximum number of characters of all documents together. */
const longestDocuments = 100_000

/** Returns the parts of a ticket for a model, in a fixed order. All are data: the prompt fences them. */
export function toParts({
  issue: { fields },
  thread,
  collected: { images, documents, skipped },
}: {
  readonly issue: Issue
  readonly thread: readonly ThreadComment[]
  readonly collected: Omit<Collected, 'stored'>
}) {
  const newest = thread.findLast(({ kind }) => kind === undefined)
  const commentTexts = thread.slice(-mostComments).map((comment) => {
    const who = comment.kind === undefined ? 'reporter' : 'agent'
    return `[${who}${comment === newest ? ', newest: it overrides earlier comments' : ''}]\n${comment.text.slice(0, longestComment)}`
  })
  let remaining = longestDocuments
  const texts = documents.map((document) => {
    const text = document.text.slice(0, remaining)
    remaining -= text.length
    return `[${document.name}]\n${text}`
  })
  const parts = [
    { title: 'Summary', text: fields.summary },
    { title: 'Description', text: readAdf(fields.description).slice(0, longestDescription) },
    {
      title: 'Images, stored for this site',
      text: images.map((image) => `${image.url} (${image.name})`).join('\n'),
    },
    { title: 'Documents', text: texts.join('\n\n') },
    {
      title: 'Files that were not read',
      text: skipped.map((file) => `${file.name}: ${file.why}`).join('\n'),
    },
    { title: 'Comments, oldest first', text: commentTexts.join('\n\n') },
  ]
  return parts
    .map(({ title, text }) => ({ title, text: text.trim().toWellFormed() }))
    .filter(({ text }) => text !== '')
}

type Collected = Awaited<ReturnType<typeof collectAttachments>>

interface AttachmentContext {
  readonly connection: JiraConnection
  readonly outbound: Pick<Outbound, 'fetch'>
  readonly media: Pick<Media, 'keep' | 'open' | 'textOf'>
  /** The addresses of stored images, by their address in Jira. */
  readonly stored: ReadonlyMap<string, string>
  readonly signal: AbortSignal
}

const mebibyte = 1024 * 1024
const mostFiles = 20
const mostBytes = 50 * mebibyte
const mostBytesOfOne = 25 * mebibyte
const timeoutMs = 30_000
const longestText = 50_000
const longestName = 120

/** Downloads the attachments of a ticket: stores images, reads texts and PDFs, and explains skipped ones. */
export async function collectAttachments(attachments: readonly Attachment[], context: AttachmentContext) {
  const { connection, outbound, media, stored, signal } = context
  /** The stored images. */
  const images: { readonly name: string; readonly url: string }[] = []
  const documents: { readonly name: string; readonly text: string }[] = []
  const skipped: { readonly name: string; readonly why: string }[] = []
  const cachedImages = new Map(stored)
  let remaining = mostBytes

  const download = async (url: string): Promise<Uint8Array> => {
    const { authorization, baseUrl } = connection
    // The credential goes only to Jira: a redirect to the media host drops it.
    const request = { headers: { authorization }, allowOrigins: [new URL(baseUrl).origin], timeoutMs, signal }
    const maxBytes = Math.min(mostBytesOfOne, remaining)
    const { status, bytes } = await outbound.fetch(url, { ...request, maxBytes })
    if (status !== 200) throw new Skipped(`Jira answered ${status}`)
    remaining -= bytes.length
    return bytes
  }
  const take = async ({ mimeType, size, content }: Attachment, name: string): Promise<void> => {
    const declared = declaredKind(mimeType.split(';', 1)[0]?.trim().toLowerCase() ?? '', name)
    if (!declared) throw new Skipped('unsupported file type')
    const isImage = declared.kind === 'image'
    if (!isOfJira(content, connection)) throw new Skipped('not stored in Jira')
    const before = isImage ? cachedImages.get(content) : undefined
    if (before !== undefined && (await media.open(before))) return void images.push({ name, url: before })
    if (size > mostBytesOfOne || size > remaining) throw new Skipped('too large')
    const bytes = await download(content)
    if (isImage) {
      const { url } = await media.keep(bytes, { prefix: 'jira', signal })
      cachedImages.set(content, url)
      return void images.push({ name, url })
    }
    const text = declared.kind === 'pdf' ? (await media.textOf(bytes))?.text : decodeText(bytes)
    if (text === undefined) throw new Skipped('unreadable text')
    documents.push({ name, text: text.slice(0, longestText) })
  }

  for (const [at, attachment] of attachments.entries()) {
    const name = attachment.filename.replaceAll(/\p{C}/gu, ' ').slice(0, longestName)
    try {
      if (at >= mostFiles) throw new Skipped(`only the first ${mostFiles} files are read`)
      await take(attachment, name)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof Skipped) && !(error instanceof Refusal)) throw error
      skipped.push({ name, why: error instanceof Skipped ? error.message : error.code })
    }
  }
  return { images, documents, skipped, stored: cachedImages }
}

class Skipped extends Error {
  override readonly name = 'Skipped'
}

function isOfJira(address: string, { baseUrl }: JiraConnection): boolean {
  const url = URL.parse(address)
  return url !== null && (url.origin === new URL(baseUrl).origin || url.origin === `https://${cloudHost}`)
}

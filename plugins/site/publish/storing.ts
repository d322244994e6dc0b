import { join } from 'node:path'
import type { SiteContent } from '../../content/adapter.ts'
import { notStored, readBack } from '../../content/arrival.ts'
import { inTurn, writeFileAtomically } from '../content.ts'
import type { Publication, PublishContext, PublishedAsset, PublishHandler, PublishResult } from '../port.ts'

/** The names that the service generates: one dot and no separator, so no file can leave its folder. */
const safeName = /^[A-Za-z0-9_-]{1,160}\.(?:png|jpg|jpeg|webp|gif|pdf)$/
const base64 = /^[A-Za-z0-9+/]+={0,2}$/

/**
 * Creates a publish handler that writes the files of a publication before the pages that refer to them. If a
 * file has a name that the service does not generate, the publish is refused and nothing is written.
 */
export function storingHandler({
  source,
  assetsDir,
  read,
  waitsMs,
  store,
}: {
  /** The path of a file, or the client of a CMS. Publishes with the same source run one at a time. */
  readonly source: string | object
  readonly assetsDir: string
  /** Reads what is stored, after a publish. */
  read(): Promise<SiteContent>
  /** The times to wait before it is read again; none by default. */
  readonly waitsMs?: readonly number[]
  /** Stores the pages and settings; resolves with notes for the person who publishes. */
  store(publication: Publication, context: PublishContext): Promise<readonly string[]>
}): PublishHandler {
  return (publication, context) =>
    inTurn(source, async () => {
      const assets = Object.values(publication.assets ?? {})
      const problem = assets.map(problemOf).find((each) => each !== undefined)
      if (problem !== undefined) return failed('asset_refused', problem)
      try {
        for (const { fileName, data } of assets) {
          await writeFileAtomically(join(assetsDir, fileName), Buffer.from(data, 'base64'))
        }
        const publish = async (): Promise<PublishResult> => {
          const notes = await store(publication, context)
          const slugs = publication.pages.map(({ slug }) => slug).filter((slug) => typeof slug === 'string')
          return { ok: true, slugs, ...(notes.length > 0 && { notes }) }
        }
        const isDone = ({ ok }: PublishResult): boolean => ok
        const lost = (slugs: readonly string[]): PublishResult => failed('not_stored', notStored(slugs))
        const inPart = (answer: PublishResult, note: string): PublishResult => ({
          ...answer,
          notes: [...(answer.notes ?? []), note],
        })
        const before = async () => context.baseline && { pages: context.baseline }
        return await readBack(publication.pages, {
          before,
          publish,
          after: read,
          isDone,
          lost,
          inPart,
          waitsMs,
        })
      } catch (error) {
        return failed('write_failed', error instanceof Error ? error.message : String(error))
      }
    })
}

const failed = (error: string, reason: string): PublishResult => ({ ok: false, slugs: [], error, reason })

/** Returns the problem of a file as a sentence, or `undefined`. */
function problemOf({ fileName, data }: PublishedAsset): string | undefined {
  if (!safeName.test(fileName)) {
    return (
      `The asset name ${JSON.stringify(fileName.slice(0, 80))} is not accepted: ` +
      'send at most 160 letters, digits, - and _, then .png, .jpg, .jpeg, .webp, .gif or .pdf.'
    )
  }
  if (base64.test(data)) return undefined
  return `The data of asset ${fileName} is not base64: send its bytes in standard base64 without line breaks.`
}

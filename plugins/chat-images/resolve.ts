import type { Logger } from '../../kernel/index.ts'
import type { FoundImage, ImageCredit, ImageRequest, ImageSource, SourceKind } from '../chat/port.ts'
import { readsAsInstruction } from '../content/words.ts'

const order: readonly SourceKind[] = ['brand', 'generated', 'stock']
const longestAddress = 2_048
const longestAlt = 300
const longestName = 100

/** Returns the available sources: the named kind first, then site images, generators and photo libraries. */
export function inOrder(sources: readonly ImageSource[], named: SourceKind | undefined): readonly ImageSource[] {
  const rank = ({ kind }: ImageSource): number => (kind === named ? -1 : order.indexOf(kind))
  return sources.filter(({ available }) => available).toSorted((a, b) => rank(a) - rank(b))
}

/** The dependencies of a search. */
export interface FindMeans {
  readonly log: Logger
  /** Whether this service itself serves an address. */
  readonly owns: (address: string) => boolean
}

/** Asks one source after the other for a usable image; returns `undefined` if none has one in time. */
export async function findImage(
  sources: readonly ImageSource[], request: ImageRequest, { log, owns }: FindMeans,
): Promise<FoundImage | undefined> {
  for (const source of sources) {
    if (request.signal.aborted) return undefined
    const found = await asked(source, request, log)
    if (!found) continue
    const { address, alt, credit } = found
    if (isUsable(address, owns) && !request.avoid.has(address)) {
      return { address, alt: usableText(alt, longestAlt), credit: usableCredit(credit) }
    }
    log.warn({ source: source.kind }, 'a source of images gave an address that cannot be used')
  }
  return undefined
}

/** Returns the image of one source; `undefined` if it fails or times out. */
async function asked(source: ImageSource, request: ImageRequest, log: Logger): Promise<FoundImage | undefined> {
  const { signal } = request
  const { promise: over, resolve } = Promise.withResolvers<undefined>()
  const stop = (): void => resolve(undefined)
  signal.addEventListener('abort', stop)
  try {
    return await Promise.race([source.find(request), over])
  } catch (err) {
    log.warn({ err, source: source.kind }, 'a source of images failed')
    return undefined
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Accepts files of this service, https URLs and site paths: no placeholders, other schemes or passwords. */
function isUsable(address: unknown, owns: FindMeans['owns']): boolean {
  return isAddress(address) || (isPlain(address) && (/^\/[^/]/.test(address) || owns(address)))
}

const isPlain = (address: unknown): address is string =>
  typeof address === 'string' && address.length <= longestAddress && !/[\s\p{Cc}"'<>\\`]/u.test(address)

/** Whether an address is an https URL without a password. */
function isAddress(address: unknown): boolean {
  if (!isPlain(address)) return false
  const url = /^https:\/\//i.test(address) ? URL.parse(address) : null
  return url !== null && url.username === '' && url.password === ''
}

function usableText(given: unknown, longest: number): string | undefined {
  const text = typeof given === 'string' ? given.replace(/[\s\p{Cc}]+/gu, ' ').trim() : ''
  return text === '' || text.length > longest || readsAsInstruction(text) ? undefined : text
}

function usableCredit(credit: ImageCredit | undefined): ImageCredit | undefined {
  const name = usableText(credit?.name, longestName)
  return credit && name !== undefined && isAddress(credit.address) ? { name, address: credit.address } : undefined
}

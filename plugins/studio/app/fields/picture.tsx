import { useEffect, useRef, useState } from 'preact/hooks'
import { shownAddress } from '../edit/file-picture.ts'
import { basePath } from '../service.ts'
import { pictureOrigins } from '../stores/policy.ts'
import { isDocument } from '../stores/documents.ts'
import { site } from '../stores/site.ts'
import type { Bound } from './field.ts'
import { Line } from './text.tsx'

/** A file of the service, by whatever name the service has outside. */
const ownFile = /\/generated-images\/([\w-]{1,160}\.\w{3,4})(?:\?|$)/

/** The address of a picture if this page may show it: one of the service, of a website, or of a configured source. */
export function addressOfPicture(value: string): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/.test(value)) return value
  const [, own] = ownFile.exec(value) ?? []
  if (own !== undefined) return `${basePath}/generated-images/${own}`
  const url = value === '' ? null : URL.parse(value, site.value?.previewUrl ?? location.href)
  const isKnown = url && (url.origin === location.origin || pictureOrigins.has(url.origin))
  return isKnown && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** The service makes its own files smaller. */
const thumbOf = (address: string): string =>
  address.startsWith(`${basePath}/generated-images/`) ? `${address}?w=640` : address

/** After these times a picture of a document is asked for again: its website has a new one soon. */
const againMs = [500, 1_500, 4_000]

/** A small view of a picture; with `isExpected` one that does not load yet is asked for again. */
export function Picture({
  value,
  isExpected = false,
}: {
  readonly value: string
  readonly isExpected?: boolean
}) {
  const [broken, setBroken] = useState<string | undefined>(undefined)
  const attempts = useRef(0)
  useEffect(() => {
    const pause = againMs[attempts.current]
    if (!isExpected || broken === undefined || pause === undefined) return undefined
    attempts.current += 1
    const timer = setTimeout(() => setBroken(undefined), pause)
    return () => clearTimeout(timer)
  }, [broken, isExpected])
  const address = addressOfPicture(value)
  if (address !== undefined && broken !== address)
    return (
      <img class="picture" src={thumbOf(address)} alt="" loading="lazy" onError={() => setBroken(address)} />
    )
  const why =
    value === ''
      ? 'No picture yet'
      : address === undefined
        ? 'This picture is shown in the page only.'
        : 'This picture does not load.'
  return <span class="picture empty-picture">{why}</span>
}

interface PictureAtProps {
  readonly bound: Bound<string>
  /** The page that has it, which for a document is the file from which a path leads. */
  readonly slug?: string
}

/** A picture, and the address that it has. */
export const PictureAt = ({ bound, slug = '' }: PictureAtProps) => (
  <>
    <Picture key={bound.value} value={shownAddress(bound.value, slug)} isExpected={isDocument(slug)} />
    <div class="beside">
      <small>Link to the picture</small>
      <Line bound={bound} dir="ltr" />
    </div>
  </>
)

import { useState } from 'preact/hooks'
import { basePath } from '../service.ts'
import { site, sites } from '../stores/site.ts'

/** The address of a picture if this page may show it: one of the service or of a registered website. */
export function addressOfPicture(value: string): string | undefined {
  if (/^data:image\/(?:png|jpeg|gif|webp|avif)[;,]/.test(value)) return value
  const own = value.startsWith('/generated-images/') ? `${location.origin}${basePath}${value}` : value
  const url = value === '' ? null : URL.parse(own, site.value?.previewUrl ?? location.href)
  const known = [location.href, ...(sites.value ?? []).map(({ previewUrl }) => previewUrl)]
  const isKnown = known.some((each) => each !== undefined && URL.parse(each)?.origin === url?.origin)
  return url && isKnown && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/** A small view of a picture. */
export function Picture({ value }: { readonly value: string }) {
  const [broken, setBroken] = useState<string | undefined>(undefined)
  const address = addressOfPicture(value)
  if (address !== undefined && broken !== address)
    return <img class="picture" src={address} alt="" loading="lazy" onError={() => setBroken(address)} />
  const why =
    value === ''
      ? 'No picture yet'
      : address === undefined
        ? 'This picture is shown in the page only.'
        : 'This picture does not load.'
  return <span class="picture empty-picture">{why}</span>
}

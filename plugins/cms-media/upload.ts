import type { Logger } from '../../kernel/index.ts'
import type { ContentAdapter } from '../content/adapter.ts'
import type { ArrivedImage } from '../media/port.ts'
import { refusals } from './refusals.ts'
import { toImage } from './shown.ts'
import { within } from './within.ts'

/** What goes with an upload. */
export interface UploadOptions {
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly log: Logger
}

/** Stores an image in the CMS of the site. Refuses every failure there with 502 `cms_upload_failed`; its cause goes to the log only. */
export async function toCms(store: NonNullable<ContentAdapter['uploadMedia']>, image: ArrivedImage, { log, ...limits }: UploadOptions) {
  try {
    const stored = toImage(await within(limits, (signal) => store({ ...image, signal })), { origin: '', paths: true })
    if (stored) return { ...stored, bytes: image.size, mimeType: image.type }
    log.warn('the content adapter stored an image and gave none that can be shown')
  } catch (err) {
    log.warn({ err }, 'the content adapter did not store an image')
  }
  throw refusals.uploadFailed()
}

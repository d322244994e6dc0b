import * as v from 'valibot'
import { defineRoutes, gates } from '../../kernel/index.ts'
import { maxBytes, recordingTypes } from './recording.ts'

export const Transcript = v.object({
  /** Empty for silence. */
  text: v.string(),
  model: v.string(),
  bytes: v.number(),
  /** Detected from the content. */
  mimeType: v.string(),
  /** True if the first model failed. */
  fallbackUsed: v.boolean(),
})
export type Transcript = v.InferInput<typeof Transcript>

/** Allowance for the form fields besides the file. */
const fieldsBytes = 1024 * 1024

export const routes = defineRoutes({
  transcribe: {
    method: 'POST',
    path: '/audio/transcribe',
    gate: gates.access,
    can: 'plan',
    sites: 'none',
    summary: 'Transcribes a recording from the form field `audio`.',
    upload: { field: 'audio', fields: ['language', 'prompt'], types: recordingTypes, maxBytes },
    limit: maxBytes + fieldsBytes,
    replies: { 200: Transcript },
    refusals: {
      400: 'file_required, wrong_field, file_empty, too_many_parts, invalid_request',
      413: 'file_too_large',
      415: 'unsupported_audio_type, content_mismatch',
      429: 'rate_limited',
      502: 'transcription_failed',
      503: 'transcription_not_configured, transcription_busy, file_types_missing',
      504: 'transcription_timeout',
    },
    internal: true,
  },
})

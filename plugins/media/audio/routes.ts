import * as v from 'valibot'
import { defineRoutes, gates } from '../../../kernel/index.ts'
import { fileRefusals } from '../port.ts'
import { maxBytes, recordingTypes } from './recording.ts'
import { refusals } from './refusals.ts'

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
    maxBytes: maxBytes + fieldsBytes,
    replies: { 200: Transcript },
    refusals: [
      fileRefusals.fileRequired,
      fileRefusals.wrongField,
      fileRefusals.fileEmpty,
      fileRefusals.fileTooLarge,
      fileRefusals.contentMismatch,
      fileRefusals.rateLimited,
      ...Object.values(refusals),
    ],
    internal: true,
  },
})

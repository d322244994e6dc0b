import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import { ownValue } from '../../content/plain-object.ts'
import { count, Failed, requestTool, text, type Tool } from './tool.ts'

const imageTypes = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'image/webp': 'webp',
  'image/gif': 'gif',
} as const
const imageType = v.picklist(['image/png', 'image/jpeg', 'image/webp', 'image/gif'])
const anyType = v.pipe(
  v.string(),
  v.maxLength(100),
  v.regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type, such as "image/png"'),
)
const base64Data = v.pipe(
  v.string(),
  v.nonEmpty('must hold the file in base64'),
  v.description('The file in base64; a data URL prefix is accepted.'),
)
const filename = v.optional(v.pipe(v.string(), v.maxLength(255)))
const image = v.object({ base64Data, mimeType: imageType, filename })
const file = v.object({ base64Data, mimeType: anyType, filename })

/** Converts the file in the arguments to a form field. */
function fileOf(field: string, { base64Data: data, mimeType, filename: name }: v.InferOutput<typeof file>) {
  const start = data.startsWith('data:') ? data.indexOf(',') + 1 : 0
  const bytes = new Uint8Array(Buffer.from(data.slice(start), 'base64'))
  if (bytes.byteLength === 0)
    throw new Failed('base64Data is empty or invalid. Send the bytes of the file in base64.')
  const extension = ownValue(imageTypes, mimeType) ?? mimeType.split('/').at(-1) ?? ''
  return { file: { field, bytes, type: mimeType, name: name ?? `upload.${extension}` } }
}

/** Tools for images and recordings. */
export const pictureTools: readonly Tool[] = [
  requestTool({
    name: 'upload-image',
    description: 'Stores an image, and returns its address.',
    input: image,
    byDefault: true,
    route: 'POST /image/upload',
    request: (args) => fileOf('image', args),
  }),
  requestTool({
    name: 'find-media-usage',
    description: 'Lists where the draft uses an image: pages, their previews and the site settings.',
    reads: true,
    route: 'GET /media/usage',
    input: v.object({ url: v.pipe(v.string(), v.nonEmpty(), v.description('The address of the image.')) }),
  }),
  requestTool({
    name: 'upload-attachment',
    description: 'Stores an image or a PDF, or reads a text file.',
    input: file,
    route: 'POST /attachment/upload',
    request: (args) => fileOf('file', args),
  }),
  requestTool({
    name: 'generate-image',
    route: 'POST /image/generate',
    open: true,
    long: true,
    description: 'Generates an image with a model, and returns its address.',
    input: v.object({
      prompt: v.pipe(v.string(), v.nonEmpty(), v.description('What the image should show.')),
      aspectRatio: text('"landscape", "square" or "portrait".'),
      provider: text('"openai" or "gemini".'),
      model: text('The name of a model.'),
    }),
  }),
  requestTool({
    name: 'search-unsplash',
    route: 'GET /unsplash/search',
    reads: true,
    open: true,
    description: 'Searches Unsplash photos.',
    input: v.object({
      q: v.pipe(v.string(), v.nonEmpty()),
      limit: count(20, 'The number of photos per page.'),
      page: count(200, 'The page of results.'),
    }),
  }),
  requestTool({
    name: 'transcribe-audio',
    description: 'Transcribes a recording.',
    input: file,
    reads: true,
    open: true,
    long: true,
    route: 'POST /audio/transcribe',
    request: (args) => fileOf('audio', args),
  }),
  requestTool({
    name: 'interpret-image',
    description: 'Describes an image.',
    input: image,
    reads: true,
    open: true,
    long: true,
    route: 'POST /image/interpret',
    request: (args) => fileOf('image', args),
  }),
]

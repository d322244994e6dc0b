import * as v from 'valibot'

const list = v.pipe(v.string(), v.transform((text) => text.split(',').map((name) => name.trim()).filter(Boolean)))

export const ImageVariables = v.object({
  IMAGE_GEN_PROVIDER: v.pipe(
    v.optional(v.pipe(v.string(), v.trim(), v.toLowerCase()), 'openai'),
    v.description('The provider that makes images where a request names none: `openai`, `gemini`, or `placeholder`, which needs no key and no network. One without a key gives way to one that has it.'),
  ),
  IMAGE_MODELS_ALLOWED: v.pipe(
    v.optional(list, ''),
    v.description('The models that requests for images may name, with commas between them; empty, any.'),
  ),
})

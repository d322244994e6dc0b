import * as v from 'valibot'
import { countVariable } from '../../../kernel/index.ts'
import { Session, SiteId } from '../../scope/port.ts'

export const RetentionVariables = v.object({
  MEDIA_RETENTION_DAYS: v.pipe(
    v.optional(countVariable(1)),
    v.description(
      'The age in days at which files are deleted that no draft, snapshot or published page refers to; by default none are.',
    ),
  ),
})

export const UsageQuery = v.object({
  session: Session,
  siteId: SiteId,
  url: v.pipe(
    v.string(),
    v.trim(),
    v.nonEmpty('url is required'),
    v.maxLength(2_048),
    v.examples(['/generated-images/upload_1767225600000_0b9e6f7c1d2a4e5f8a9b0c1d2e3f4a5b.png']),
    v.description('The address of the image. A file of this service is found below any origin.'),
  ),
})

export const Use = v.object({
  slug: v.pipe(v.optional(v.string()), v.description('Absent for the settings of the site.')),
  title: v.pipe(v.optional(v.string()), v.description('The title of the page.')),
  blockId: v.pipe(
    v.optional(v.string()),
    v.description('Absent for the page itself, such as its `meta.ogImage`.'),
  ),
  blockType: v.optional(v.string()),
  path: v.pipe(v.string(), v.description('The field, such as `cards[0].imageUrl`.')),
  written: v.pipe(v.array(v.string()), v.description('The addresses as they are written there.')),
})
export type Use = v.InferOutput<typeof Use>

export const Usage = v.object({
  version: v.pipe(v.number(), v.description('The version of the draft, for `baseVersion`.')),
  uses: v.array(Use),
  isCut: v.pipe(v.optional(v.literal(true)), v.description('There are more uses than listed.')),
})

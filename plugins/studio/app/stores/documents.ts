/** Pages that are files of the website: documents, whose slugs are `/~` and the path. */
import { isFileSlug, isTextFile } from '../../../content/slugs.ts'

export const isDocument = isFileSlug

/** Whether a page is data or a template, which code uses where and as it is: only its values change. */
export const isUsedByCode = (slug: string): boolean => isFileSlug(slug) && !isTextFile(slug)

/** Why a picture of this machine cannot be one of a document. */
export const noUploads =
  'Uploads are no files of the website. Add the picture to its folder, and choose it here.'

/** The path of a document, in which the slug has bytes in hex; other slugs are addresses. */
export function placeName(slug: string): string {
  if (!isDocument(slug)) return slug
  try {
    return decodeURIComponent(
      slug
        .slice(2)
        .replaceAll('%', '%25')
        .replaceAll(/~([0-9a-f]{2})/g, '%$1'),
    )
  } catch {
    return slug.slice(2)
  }
}

/** The folder of a document, empty at the top. */
export const folderOf = (slug: string): string => placeName(slug).split('/').slice(0, -1).join('/')

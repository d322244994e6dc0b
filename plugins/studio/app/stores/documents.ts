/** Pages that are files of the website: documents, whose slugs are `/~` and the path. */

export const isDocument = (slug: string): boolean => slug.startsWith('/~')

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

/** The document beside which a new one goes: the shown one, else the first text. */
export function modelFor(shown: string, slugs: readonly string[]): string | undefined {
  const texts = slugs.filter((slug) => /\.(?:md|markdown|mdx)$/i.test(slug))
  return [shown, ...texts, ...slugs].find(isDocument)
}

/** Where a new document goes: beside another one, with its kind of file. */
export function slugBeside(model: string, name: string): string {
  const extension = /\.[^./]+$/.exec(model)?.[0] ?? '.md'
  return `${model.slice(0, model.lastIndexOf('/'))}/${name}${extension}`
}

/** The content file of a site without a CMS, relative to the project. */
export const contentFile = 'content/pages.json'
/** The folder of public files. */
export const publicDir = 'public'

export const cmsNames = ['sanity', 'contentful', 'strapi'] as const
export type CmsName = (typeof cmsNames)[number]

/** The variables of each CMS, whose values a person has to provide. */
export const cmsVariables: Readonly<Record<CmsName, readonly string[]>> = {
  sanity: ['SANITY_PROJECT_ID', 'SANITY_DATASET', 'SANITY_API_TOKEN'],
  contentful: [
    'CONTENTFUL_SPACE_ID',
    'CONTENTFUL_ENVIRONMENT',
    'CONTENTFUL_DELIVERY_TOKEN',
    'CONTENTFUL_MANAGEMENT_TOKEN',
  ],
  strapi: ['STRAPI_URL', 'STRAPI_TOKEN'],
}

const typeSteps: Readonly<Record<CmsName, string>> = {
  sanity:
    'Add a document type editorDocument to the schema of Sanity: key and title of type string, ' +
    'position of type number, document of type text',
  contentful:
    'Make a content type editorDocument in Contentful: key and title as short text, ' +
    'position as integer, document as JSON object',
  strapi:
    'Make a collection type editor-document in Strapi: key and title as text, position as integer, ' +
    'document as JSON; give the token find, create, update and delete',
}

/** Returns the steps for a person in a CMS. */
export const cmsSteps = (cms: CmsName): readonly string[] => [
  typeSteps[cms],
  `Fill in the variables: ${cmsVariables[cms].join(', ')}`,
]

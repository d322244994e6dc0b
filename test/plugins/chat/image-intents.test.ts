import t from 'tap'
import { nounsFor } from '../../../plugins/chat-rules/images/nouns.ts'
import { imageIntentOf, sourceAlone } from '../../../plugins/chat-rules/images/intent.ts'
import { builtinRegistry } from '../../../plugins/content/registry.ts'

const nouns = nounsFor(builtinRegistry.types().flatMap((type) => (type.type === 'Hero' ? [type, { ...type, type: 'BoatCard', displayName: 'Boat card' }] : type)))

/** An intent in short: the target, the source, the query. */
function read(message: string): string | undefined {
  const intent = imageIntentOf(message, nouns)
  if (!intent) return undefined
  const { of, named, source, query, queries, isSeveral } = intent
  const what = named && [named.isEvery && 'every', named.noun ? (named.noun.lists[0]?.join('.') ?? named.noun.types[0]) : 'this', named.place].filter(Boolean).join(' ')
  return [of ?? what ?? 'selected', source, query && `"${query}"`, ...[...queries].map(([row, text]) => `${row}="${text}"`), isSeveral && !named?.isEvery && 'several'].filter(Boolean).join(' ')
}

t.test('a request for a new image is read as its target, source and query', async (t) => {
  const intents: readonly (readonly [message: string, intent: string])[] = [
    ['change the hero image to a sunset', 'Hero "sunset"'],
    ['Change the hero image to a sunset over the fjord.', 'Hero "sunset over the fjord"'],
    ["change the hero's image to a harbor", 'Hero "harbor"'],
    ['change the image', 'selected'],
    ['change the image of the second card to a harbor', 'CardGrid.cards 2 "harbor"'],
    ['change all card images to boats', 'every CardGrid.cards "boats"'],
    ['change the card images', 'every CardGrid.cards'],
    ['change the boat card image to a red boat', 'BoatCard "red boat"'],
    ['swap the hero image for something with mountains', 'Hero "something with mountains"'],
    ['replace the hero image with a photo of a lighthouse', 'Hero "lighthouse"'],
    ['replace the image with a stock photo', 'selected stock'],
    ['swap the image for a different one', 'selected'],
    ['swap the images for new ones', 'selected several'],
    ['change the image to another', 'selected'],
    ['Ändere das Bild in ein schöneres', 'selected'],
    ['Please add a photo of a boat here', 'selected "boat"'],
    ['set the hero image to a mountain lake', 'Hero "mountain lake"'],
    ['find a photo for each card', 'every CardGrid.cards'],
    ['find images for the cards: card 1: "a boat", card 2: "a harbor"', 'every CardGrid.cards 1="a boat" 2="a harbor"'],
    ['new images: card 2: "A red kayak" and card 3: "Dawn"', 'CardGrid.cards 2="A red kayak" 3="Dawn" several'],
    ['can you find a better photo for the second card?', 'CardGrid.cards 2'],
    ['look for a picture of a sunset for this section', 'this "sunset"'],
    ['find a photo of a dog from Unsplash', 'selected stock "dog"'],
    ['find an image for our summer sale', 'selected "summer sale"'],
    ['find a stock photo of a beach', 'selected stock "beach"'],
    ['get me a photo of a beach from the photo library', 'selected stock "beach"'],
    ['generate an image of a red kayak', 'selected generated "red kayak"'],
    ['generate an image of "Two kayaks at dawn" for the hero', 'Hero generated "Two kayaks at dawn"'],
    ['generate images for every card with AI', 'every CardGrid.cards generated'],
    ['create an AI image of a harbor at night for the hero', 'Hero generated "harbor at night"'],
    ['create a red kayak image for the hero', 'Hero "red kayak"'],
    ['generate a hero image', 'Hero generated'],
    ['replace the hero image with an AI image of a man in a boat', 'Hero generated "man in a boat"'],
    ['use a brand image for the hero', 'Hero brand'],
    ['use an Unsplash photo of mountains for the hero', 'Hero stock "mountains"'],
    ['use a different image for card 3', 'CardGrid.cards 3'],
    ['give each card a photo', 'every CardGrid.cards'],
    ['give the hero a new image', 'Hero'],
    ['add an image of a boat to the hero', 'Hero "boat"'],
    ['new images for all cards', 'every CardGrid.cards'],
    ['a different photo for the last card, please', 'CardGrid.cards -1'],
    ['I would like a photo of a boat', 'selected "boat"'],
    ['I need a new picture for the hero', 'Hero'],
    ['ein neues Bild für den Hero', 'Hero'],
    ['Bitte ein neues Foto für Karte 2!', 'CardGrid.cards 2'],
    ['ändere das Hero-Bild in einen Sonnenuntergang', 'Hero "sonnenuntergang"'],
    ['Ändere das Bild der zweiten Karte in einen Hafen', 'CardGrid.cards 2 "hafen"'],
    ['tausche das Herobild gegen einen Hafen aus', 'Hero "hafen"'],
    ['ersetze das Bild durch ein Foto von einem Leuchtturm', 'selected "leuchtturm"'],
    ['Finde ein Foto für jede Karte', 'every CardGrid.cards'],
    ['suche nach einem Foto von einem Strand', 'selected "strand"'],
    ['such ein Stockfoto von einem Strand', 'selected stock "strand"'],
    ['Erzeuge ein Bild von einem roten Kajak', 'selected generated "roten kajak"'],
    ['generiere ein KI-Bild für den Hero', 'Hero generated'],
    ['kannst du ein neues Bild für den Hero suchen?', 'Hero'],
    ['gib jeder Karte ein Foto', 'every CardGrid.cards'],
    ['neue Bilder für alle Karten', 'every CardGrid.cards'],
    ['ich hätte gern ein anderes Bild', 'selected'],
  ]
  for (const [message, intent] of intents) t.equal(read(message), intent, message)
})

t.test('the link preview image and the logo are requested like any other image', async (t) => {
  const intents: readonly (readonly [message: string, intent: string])[] = [
    ['find a preview image for this page', 'page'],
    ['Find a social media image for the page.', 'page'],
    ['change the preview image of this page to a sunset', 'page "sunset"'],
    ["change the page's share image", 'page'],
    ['generate an og image of a red kayak', 'page generated "red kayak"'],
    ['find an image for link previews of this page', 'page'],
    ['find a photo of a harbor for the link preview', 'page "harbor"'],
    ['give the page a new preview image', 'page'],
    ['a new open graph image, please', 'page'],
    ['give the site a new logo', 'site'],
    ['find a new logo for our website', 'site'],
    ['a new logo', 'site'],
    ['change the logo to a red kayak', 'site "red kayak"'],
    ['generate a logo with a boat for the site', 'site generated "boat"'],
    ['create a logo image with AI', 'site generated'],
    ['use our brand logo', 'site brand'],
    ['Finde ein Vorschaubild für diese Seite', 'page'],
    ['ein neues Vorschaubild bitte', 'page'],
    ['ändere das Vorschaubild der Seite in einen Sonnenuntergang', 'page "sonnenuntergang"'],
    ['suche ein Bild für die Vorschau dieser Seite', 'page'],
    ['erzeuge ein Social-Media-Bild von einem Hafen', 'page generated "hafen"'],
    ['gib der Website ein neues Logo', 'site'],
    ['ein neues Logo für die Website', 'site'],
    ['Erzeuge ein Logo mit einem Boot', 'site generated "boot"'],
  ]
  for (const [message, intent] of intents) t.equal(read(message), intent, message)
  for (const message of [
    'set the logo to /logo.svg', 'change the logo to https://example.org/logo.svg', 'remove the logo', 'make the logo bigger', 'change the logo to the left', 'set the logo', 'the logo', 'translate the logo',
    'find preview images for all pages', 'find a preview image for the about page', 'change the logo and the heading', 'change the logo to a boat and remove the banner', 'set the preview image', 'preview the page',
    'change the preview of the page', 'find a logo: card 1: "a boat"', 'show me a preview', 'entferne das Logo', 'setze das Logo auf /logo.svg', 'finde Vorschaubilder für alle Seiten', 'zeig mir eine Vorschau', 'was ist das Logo?',
  ]) t.equal(read(message), undefined, message)
})

t.test('other messages about images do not ask for a new one', async (t) => {
  const others = [
    // An address is a plain update.
    'set the hero image to /img/dawn.jpg', 'use https://example.org/dawn.jpg as the hero image', 'change the hero image to "https://example.org/a.png"',
    'setze das Hero-Bild auf https://example.org/a.png', 'set the hero image to mailto:a@b.test',
    // So are position and size of the image that is there.
    'put the hero image on the left', 'make the hero image bigger', 'make the image full width', 'move the hero image to the right', 'change the hero image to left',
    'change the image position to left', 'swap the image and the text in the hero', 'make the image rounded', 'change the aspect ratio of the image to square',
    'change the image to portrait', 'setze das Bild nach links', 'verschiebe das Bild nach rechts', 'mach das Bild größer', 'tausche Bild und Text im Hero',
    // Words about an image are texts.
    'set the alt text of the hero to "Two kayaks at dawn"', 'generate alt text for the image', 'generate an alt text for the hero image', 'change the image caption to Boats',
    'describe this image', 'schreibe einen Alternativtext für das Bild', 'ändere die Bildbeschreibung in Boote', 'change the images section title to Photos',
    // What is quoted is content.
    'set the heading to "a new image"', 'change the heading to "find a photo for each card"', 'change the button text to See images', 'change the headline to New photos of the harbor',
    // No new image is requested, or it is not described.
    'remove the hero image', 'entferne das Bild', "don't change the hero image", 'ändere das Hero-Bild nicht', 'set the hero image', 'add the image to the hero', 'find the hero image',
    'swap the images', 'Tausche die Bilder', 'switch the hero image', 'use the same image for all cards', 'copy the hero image to the cards', 'change the hero image to the image of the first card', 'upload an image', 'find images without alt text',
    'find a place for the image', 'replace the word image with photo', 'get rid of the image', 'change the hero image to a', 'change the hero image of the boat', 'an image', 'images',
    // Questions.
    'what image is in the hero?', 'should I change the hero image?', 'welches Bild ist im Hero?',
    // Translations.
    'translate the image descriptions to German', 'change the hero image to a sunset, translated to German', 'übersetze die Bildunterschrift',
    // More than an image is requested.
    'add an image gallery', 'create a page with an image of a boat', 'add a card with a photo of a boat', 'add a new section with images', 'create an image gallery page',
    'change the hero image to a sunset and the heading to Hello', 'change the hero image to a sunset and remove the banner', 'change the hero image to a sunset, then add a card',
    'change the hero image. Then remove the banner.', 'change the image of the hero and the image of the banner', 'change the hero image of the second card',
    // Unclosed quotes, an overlong text, and an empty one.
    'find an image of "a boat', `find an image of a ${'very '.repeat(300)}red boat`, '', 'please', 'for the second and third card a photo', 'find a photo for the first second card',
  ]
  for (const message of others) t.equal(read(message), undefined, message)
})

t.test('a source named alone answers the question for one', async (t) => {
  const answers: readonly (readonly [message: string, source: string | undefined])[] = [
    ['Use Unsplash', 'stock'], ['Generate with AI', 'generated'], ['Either', 'any'],
    ['Use Unsplash (ein Foto suchen)', 'stock'], ['Generate with AI (ein Bild erzeugen)', 'generated'], ['Either (egal)', 'any'],
    ['stock photos please', 'stock'], ['from the photo library', 'stock'], ['AI', 'generated'], ['mit KI bitte', 'generated'], ['Generate it', 'generated'], ['bitte erzeugen', 'generated'],
    ['use brand images', 'brand'], ['either of them', 'any'], ['egal', 'any'],
    ['Use it', undefined], ['', undefined], ['set the heading to AI', undefined], ['a sunset', undefined], ['change the hero image', undefined],
  ]
  for (const [message, source] of answers) t.equal(sourceAlone(message), source, message)
})

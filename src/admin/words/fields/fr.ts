import type { AllFieldWords } from './all.ts'

const statuses = {
  publish: 'Public',
  future: 'Public à partir d’une date',
  draft: 'Brouillon',
  pending: 'À relire',
  private: 'Pour la rédaction seulement',
  trash: 'Dans la corbeille',
}

const content = {
  author: ['Auteur'],
  date: [
    'Public depuis, ou à partir du',
    'Dans le fuseau horaire du calendrier. À une date future, cela paraît tout seul.',
  ],
  status: ['Qui peut le voir', undefined, statuses],
  slug: ['Adresse', 'La fin de son adresse web. Si le champ reste vide, elle est faite du nom.'],
  description: ['Description', 'Une ligne vide commence un nouveau paragraphe. Le HTML convient aussi.'],
  image: ['Image'],
  external_id: ['Identifiant ailleurs', 'Celui d’un autre système, s’il y en a un.'],
} as const

const show_map = ['Montrer une carte'] as const
const show_map_link = ['Montrer un lien vers une carte'] as const
const website = ['Site web'] as const

export const fr: AllFieldWords = {
  event: {
    ...content,
    title: ['Titre'],
    start_date: ['Commence'],
    end_date: ['Se termine', 'Laissez l’heure vide si la fin est ouverte.'],
    all_day: ['Toute la journée'],
    recurrence: ['Répétition'],
    timezone: ['Fuseau horaire', 'Celui du lieu, comme Europe/Rome.'],
    venue: ['Lieu'],
    organizer: ['Organisateur'],
    categories: ['Catégories'],
    tags: ['Mots-clés'],
    excerpt: [
      'Résumé',
      'Une ou deux phrases pour les listes. S’il reste vide, elles montrent le début de la description.',
    ],
    cost: ['Prix', 'Comme il doit se lire : « Gratuit », « 12 », « 10 à 25 ».'],
    website: ['Site web', 'Où l’on en lit plus ou trouve des billets.'],
    ticketed: ['Billetterie', 'Le site web est alors montré comme le moyen d’en obtenir.'],
    featured: ['À la une', 'Se distingue dans le calendrier.'],
    virtual_event_type: [
      'Où cela se passe',
      undefined,
      { '': 'Sur place', virtual: 'En ligne seulement', hybrid: 'Sur place et en ligne' },
    ],
    virtual_url: ['Lien pour participer'],
    virtual_video_source: ['Service', 'Le programme ou le site qui le diffuse.'],
    event_status: [
      'A lieu ?',
      'Un événement annulé reste dans le calendrier et le dit.',
      {
        scheduled: 'Oui, comme annoncé',
        canceled: 'Annulé',
        postponed: 'Reporté, sans nouvelle date',
        rescheduled: 'Déplacé à la date ci-dessus',
      },
    ],
    event_status_reason: ['Raison', 'Visible de tous.'],
    show_map,
    show_map_link,
    hide_from_listings: ['Ne pas montrer dans les listes', 'Seuls ceux qui ont son adresse le trouvent.'],
    sticky: ['En premier dans les vues par mois'],
    post_parent: ['Fait partie de l’événement', 'Le numéro d’un autre événement.'],
    custom_fields: ['Champs libres', 'Tout le reste. Videz les deux pour en retirer un.'],
  },
  venue: {
    ...content,
    venue: ['Nom'],
    address: ['Rue et numéro'],
    city: ['Ville'],
    country: ['Pays'],
    province: ['Province'],
    state: ['État'],
    stateprovince: ['État ou province'],
    zip: ['Code postal'],
    phone: ['Téléphone'],
    website,
    show_map,
    show_map_link,
    geo_lat: [
      'Latitude',
      'En degrés, comme 53.27. Nécessaire, avec la longitude, pour chercher à proximité.',
    ],
    geo_lng: ['Longitude', 'En degrés, comme -9.05.'],
  },
  organizer: { ...content, organizer: ['Nom'], phone: ['Téléphone'], website, email: ['E-mail'] },
  category: {
    name: ['Nom'],
    parent: ['Fait partie de'],
    description: ['Description'],
    slug: content.slug,
  },
  tag: { name: ['Nom'], description: ['Description'], slug: content.slug },
  image: {
    alt_text: ['Ce qu’elle montre', 'Pour les personnes qui ne la voient pas : une phrase suffit.'],
    title: ['Titre', 'Le nom sous lequel vous la trouvez ici.'],
    caption: ['Légende', 'Par exemple, qui l’a faite.'],
  },
  source: {
    name: ['Nom', 'Il figure sur ses événements.'],
    url: ['Adresse'],
    every: [
      'Fréquence de lecture',
      undefined,
      {
        hour: 'Toutes les heures',
        '6 hours': 'Toutes les six heures',
        day: 'Tous les jours',
        week: 'Toutes les semaines',
        '': 'Seulement quand je le dis',
      },
    ],
    status: [
      'Nouveaux événements',
      undefined,
      {
        publish: 'Apparaissent aussitôt',
        pending: 'Attendent une relecture',
        draft: 'Deviennent des brouillons',
      },
    ],
    categories: ['Catégories données à ses événements'],
    tags: ['Étiquettes données à ses événements'],
    venue: ['Lieu', 'Pour les événements qui n’en nomment aucun.'],
    organizer: ['Organisateur', 'Pour les événements qui n’en nomment aucun.'],
    search: ['Seulement les événements avec l’un de ces mots', 'Laissez vide pour tous.'],
    mirror: [
      'Tout comme là-bas',
      'Ce que vous modifiez ici est annulé, et ce qui disparaît là-bas va ici à la corbeille. Sinon, ce que vous modifiez ici reste.',
    ],
    rights: [
      'Droits',
      'Si l’autre calendrier demande une mention sur ses événements.',
      { text: 'Mention, comme « CC BY 4.0 »', url: 'Lien vers les conditions' },
    ],
  },
}

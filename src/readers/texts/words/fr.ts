import type { Words } from './language.ts'

export function fr(): Words {
  return {
  small: 'le la les l d de du des et au aux un une a en dans pour par sur avec ce',
  coming: 'ce cet',
  next: 'prochain prochaine',
  every: 'chaque tous toutes',
  eachTime: 'chaque representations seances jours',
  notTheBeginning:
    'ouvre ouvrent ouvrira ouvrons controle pointage emargement remise portes ouverture accueil acceuil billetterie inscription inscriptions restauration buvette ouvert ouverte permanences permanence telephone avant installation exposants acces dernier derniere accueil retrait remballe remballage caisse caisses',
  beginning: 'debut commence concert concerts public spectacle',
  notTheDay:
    'publies publiees depuis expire expirent signee electroniquement initialement envoye publie publiee mis rouvre rouvrira reouvre rouvrent prevente avant jusqu limite cree creee relache sauf inscription inscriptions ici maj pas hors reservations excepte tarifs',
  otherMatters:
    'fermees fermeront candidature candidatures entrevues salaire fermee ferment fermeture fermera rembourses photo photos presse permanence permanences horaires messes redevance cotisation vacances laisse tarifs travaux remercient merci remercions consultations consultation consultable consultables tonte ecrit cherchons vendre vends autorise autorises menus coupure',
  cancelled: 'annule annulee annules annulees annulation annuler',
  calledOff: '',
  takingPlace: 'lieu|tiendra|tenir|tenu|tenue|maintenu|maintenue|maintenus|maintenues',
  postponed: 'reporte reportee reportes reportons ajourne ajournee deplace deplacee decale decalee repousse repoussee',
  newDate: 'nouvelle nouveau finalement rattrape rattrapee',
  noDateYet: 'ulterieure ulterieurement nouvelle plus',
  but: 'mais',
  conditional: 'si|en cas|sous reserve|pourrait|s il|pourra etre|en cas de',
  negations: 'pas non jamais',
  full: 'complet complete',
  free: 'gratuit gratuite gratuits gratuites libre libres',
  collected: 'chapeau dons',
  admission:
    'parterre balcon tarif entree entrees prevente billets billet place participation prix places tarifs inscription inscriptions unique concert pass paf carton preventes cout tarification participations abonnement acces droit',
  audience:
    'autres deguises reduits amis spectateurs pers adultes adulte enfants enfant reduit adherents abonnes etudiants chomeurs etudiant demandeurs jeunes seniors famille personne adherent membres membre emploi ans normal plein groupes groupe externes invites retraites lyceens scolaires',
  notAdmission:
    'recoltes recoltee recueillis douzaine prix lot offrande gobelet editions catalogue emplacement emplacements caution exposants table metre tombola cotisation reduction remise cafe gateau sandwich boissons boisson repas assiette parking bon vendre velo buvette location stand stands recette quete collecte equipe adhesion supplement consigne valeur arrhes acompte hebergement vainqueur gagnant frais cotisations vestiaire navette car bus trajet covoiturage crepe crepes frites livre',
  greetings: 'bonjour bonsoir coucou salut cher chere chers cheres madame monsieur mesdames messieurs',
  numbers:
    'une=1 deux=2 trois=3 quatre=4 cinq=5 sept=7 huit=8 neuf=9 dix=10 onze=11 douze=12 treize=13 quatorze=14 quinze=15 seize=16 vingt=20 trente=30 quarante=40 cinquante=50',
  ordinals: 'premier=1 1er=1 deuxieme=2 second=2 2e=2 troisieme=3 3e=3 quatrieme=4 4e=4 dernier=-1',
  ofMonth: 'mois',
  fortnight: 'sur deux|tous les quinze jours|tous les 15 jours|toutes les deux semaines',
  meetings: 'seances soirees ateliers rencontres semaines cours',
  places: 'salle eglise mediatheque maison cinema espace chateau gymnase theatre grange',
  houses: 'ecole auberge cafe college lycee restaurant hotel bar mairie musee bibliotheque stade chapelle ferme foyer brasserie',
  sites:
    'abbatiale abbaye cathedrale temple presbytere cure parvis prieure cloitre couvent synagogue mosquee stade complexe terrain piste piscine patinoire dojo gymnase boulodrome hippodrome port plage lac parc jardin jardins square halle halles hangar marche esplanade champ pre bois foret gare parking arret mairie prefecture bureau auditoire auditorium amphitheatre amphi conservatoire atelier ateliers studio galerie librairie boutique bibliotheque mediatheque ludotheque universite faculte campus ecole lycee college creche centre cercle local locaux foyer residence ehpad hopital clinique caserne fort tour moulin ferme domaine cave caves chai manoir villa pavillon bar bistrot pub taverne cabane refuge gite camping chapiteau kiosque scene opera palais bourse scierie usine forge lavoir pont prairie oratoire basilique collegiale ponton embarcadere verger etang preau omnisports chalet crypte cimetiere observatoire haras velodrome fournil caveau cellier cantine refectoire cosec guinguette estaminet placette digue remparts citadelle yourte rotonde maternelle tribunal',
  streets: 'rue avenue place quai boulevard chemin impasse',
  sheets: 'bulletin feuille feuillet numero fondee fonde agenda programme objet mis communique dates compte depuis rectificatif organisation organise communique annonce information infos info rappel nouvelles avis calendrier actualites actualite breves circulaire note',
  verbs: 'est sont aura auront signe prevu prevue tiendra deroulera commence sera ont avons etes espere etait etaient fut passe passent joue jouent chante chantent reunit reunissent reunira commencera debutera jouera',
  leads: 'malheureusement oubliez rappelons rumeur informons inviter plaisir oui',
  noTitles: 'precises seances semaines finalement raison cause bientot amicalement cordialement bises bien salutations non changement prochains prochaines seance agenda sentiments bisous rectification modifie modifiee',
  bodies: 'mairie commune amicale association societe paroisse ville club comite section collectif ludotheque compagnie cie',
  presenting: 'offrira proposera organisera presentera accueillera offre offrent donne donnera invite invitons presente organise propose annonce accueille presentent proposent invitent organisent annoncent accueillent convie convient projette projettent recoit recoivent retrouvent',
  kinds: 'webinaire blindtest concert recital spectacle piece comedie loto bal dansant kermesse fete foire marche brocante grenier bourse braderie exposition expo vernissage conference causerie debat rencontre lecture atelier stage cours formation projection film tournoi match course randonnee rando balade promenade visite excursion sortie voyage assemblee reunion repas diner souper banquet buffet aperitif apero pique gouter dejeuner brunch messe culte celebration procession pelerinage veillee ceremonie commemoration inauguration festival carnaval defile cavalcade gala cabaret karaoke quiz bingo concours battle audition repetition collecte conte contes yoga gym dictee jeux initiation demonstration dedicace belote tarot petanque cross trail rallye auditions degustation chantier nettoyage ducasse conseil seance manifestation rassemblement dressing troc guinguette jam tremplin marathon chasse conferences priere anniversaire',
  occasions: 'soiree journee nuit matinee club',
  kindEnds: '',
  links: 'de du des d pour avec et sur la le les l a au aux',
  genres:
    'conte contes tout public theatre exposition expositions expo musique danse chanson humour arts visuels litterature scene famille familles enfants jeune jeunesse ados adultes seniors patrimoine nature jeux eveil atelier ateliers concerts conferences rencontres spectacles cine gouter projection seance vacances hors murs',
  rules: 'reglement interdit interdite autorise autorises caution locataire tarifs doivent',
  minutes: 'proces verbal pv presences presents absents excuses adoption adopte adoptee levee solde unanimite',
  vacancies: 'pourboires vendeur vendeuse embauchons recrute recrutons recrutement poste pourvoir cdd cdi remuneration brut salaire motivation entretiens candidature candidatures embauche',
  notices:
    'technicien ramoneur plombier compteur compteurs examen barree barre coupure coupures coupe travaux deviation circulation alternee stationnement fourriere voirie arrete elagage chaussee canalisation eau electricite ordures dechets dechetterie bacs poubelles collecte encombrants taxe taxes impots impot fonciere facture factures echeance prelevement recouvrement cabinet ambulatorio consultations ordonnances pharmacie garde permanence permanences vacances rentree cantine periscolaire ligne arret arrets departs horaires correspondance enquete sondage petition scrutin vote votants alerte vigilance rafales verglas crue louer location loyer charges vendre soldes promo stock livraison commande perdu trouve recompense puce collier deces obseques naissance elu elus elue vinyle parution librairie editeur isbn arnaque arnaques escroquerie escrocs subvention subventions dossier dossiers benevoles redaction conge conges',
  otherHeadings: 'vendre vends vend horaires emploi recrutement',
  inviting: 'venez convie conviees convies convoques convoquees convoque invite invitons invitation bienvenue entree rejoignez',
  buttons:
    'aller au contenu|aller au contenu principal|aller au menu|aller a la navigation|aller a la recherche|passer au contenu|passer au contenu principal|acces direct au contenu|retour en haut|haut de page|ajouter au calendrier|ajouter a mon agenda|ajouter a lagenda|ajouter a l agenda|telecharger ics|partager|partager sur facebook|partager cet evenement|partager la page|imprimer la page|reserver|reserver maintenant|acheter des billets|acheter un billet|en savoir plus|en savoir|plus dinfos|plus d infos|voir plus|lire la suite|lire plus|afficher plus|charger plus|voir tout|voir tout lagenda|tous les evenements|toutes les dates|retour a lagenda|retour a la liste|retour|sinscrire a la newsletter|s inscrire a la newsletter|abonnez vous a la newsletter|nous suivre|suivez nous|mentions legales|politique de confidentialite|plan du site|gestion des cookies|accessibilite|accessibilite non conforme|se connecter|connexion|mon compte|panier|mon panier|menu principal|ouvrir le menu|fermer le menu|precedent|suivant|evenement precedent|evenement suivant|voir la carte|voir sur la carte|tous droits reserves|evenements precedents|evenements suivants|sabonner au calendrier|voir plus de details|voir les details|je participe|ca minteresse|inviter|tout accepter|tout refuser|personnaliser|tout lagenda|partager cette page|non conforme',
  menus:
    'aujourdhui|demain|cette semaine|ce week end|ce weekend|ce mois|ce mois ci|tout|toutes|tous|semaine|accueil|menu|recherche|rechercher|agenda|catalogue|actualites|actus|evenements|programme|programmation|la saison|saison|billetterie|infos pratiques|informations pratiques|espace pro|espace presse|venir|expositions|collections|visite|visiter|boutique|contact|nous contacter|qui sommes nous|lassociation|l association|adherer|adhesion|faire un don|services|mairie|vie municipale|ma ville|galerie|presse|newsletter|lettre dinformation|facebook|instagram|youtube|imprimer|filtrer|filtres|categories|archives|faq|aide|carte|liste|mois|calendrier|tarifs|horaires',
  related:
    'vous aimerez aussi|vous aimerez peut etre|a voir aussi|voir aussi|a lire aussi|evenements similaires|evenements lies|autres evenements|autres dates a lagenda|dans le meme genre|a decouvrir aussi|a venir|a voir egalement|a decouvrir egalement|prochains evenements|evenements a venir|prochaines dates|prochaines seances|voir egalement|ces evenements peuvent vous interesser',
  opening:
    'ouvert ouverte ouverts ouverture ouvre horaires horaire billetterie guichet',
  consent:
    'accepter acceptez utilise utilisons refuser parametrer gerer',
}
}

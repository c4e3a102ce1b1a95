-- How goods travel and where they are paid for follows from the rules: the texts say no more than who may buy them, and for what. Texts that
-- a shop has changed by itself stay.
UPDATE compliance_classes SET restriction = 'Sold to adults aged 21 or older.'
    WHERE restriction = 'Sold to adults aged 21 or older. Ships by ground within the United States.';
UPDATE compliance_classes SET restriction = 'Sold to adults aged 21 or older, for legal tobacco use only.'
    WHERE restriction = 'Sold to adults aged 21 or older, for legal tobacco use only. An adult signs for the parcel.';
UPDATE compliance_classes SET restriction = 'Sold to adults aged 21 or older. Flammable.'
    WHERE restriction = 'Sold to adults aged 21 or older. Flammable: travels by ground only, never by air, and an adult signs for the parcel.';
UPDATE compliance_classes SET restriction = 'Sold to adults aged 21 or older.'
    WHERE restriction = 'Sold to adults aged 21 or older, in our store only: reserve online, show your ID and pay when you pick it up.';

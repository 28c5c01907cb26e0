"""What a person sees of a campaign: table, pictures, page, sentences and exports."""
